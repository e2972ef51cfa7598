// Tabs over panels that are all visible without this script. A group is an element with
// `data-tabs="<key of its state>"` and `data-tabs-label`; its children with `data-tab="<label>"`,
// an id and `data-key` are the panels. Arrow keys, Home and End move, as in the ARIA pattern.

for (const group of document.querySelectorAll("[data-tabs]")) {
  const panels = [...group.children].filter((child) => child.dataset.tab);
  if (panels.length < 2) continue;
  const key = group.dataset.tabs;
  const list = make("div", { role: "tablist", "aria-label": group.dataset.tabsLabel ?? "" });
  const tabs = panels.map((panel) =>
    make("button", { type: "button", role: "tab", id: `${panel.id}-tab`, "aria-controls": panel.id }, panel.dataset.tab),
  );

  const show = (chosen) => {
    panels.forEach((panel, at) => {
      panel.hidden = at !== chosen;
      tabs[at].setAttribute("aria-selected", at === chosen);
      tabs[at].tabIndex = at === chosen ? 0 : -1;
    });
    panels[chosen].dispatchEvent(new Event("shown"));
  };
  const choose = (chosen) => {
    state.set(key, chosen ? panels[chosen].dataset.key : "");
    show(chosen);
  };

  panels.forEach((panel, at) => {
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", tabs[at].id);
    tabs[at].addEventListener("click", () => choose(at));
  });
  list.append(...tabs);
  list.addEventListener("keydown", (event) => {
    const at = tabs.indexOf(document.activeElement);
    const last = tabs.length - 1;
    const next = { ArrowRight: at < last ? at + 1 : 0, ArrowLeft: at ? at - 1 : last, Home: 0, End: last }[event.key];
    if (at < 0 || next === undefined) return;
    event.preventDefault();
    choose(next);
    tabs[next].focus();
  });
  group.prepend(list);

  // An anchor inside a panel opens it.
  const anchored = () => {
    const target = location.hash.includes("=") ? null : document.getElementById(location.hash.slice(1));
    return target ? panels.findIndex((panel) => panel.contains(target)) : -1;
  };
  state.follow(() => {
    const wanted = panels.findIndex((panel) => panel.dataset.key === state.get(key));
    show(Math.max(anchored(), wanted, 0));
  });
  addEventListener("hashchange", () => {
    const at = anchored();
    if (at < 0) return;
    show(at);
    document.getElementById(location.hash.slice(1)).scrollIntoView();
  });
}
