// One bar for a page's engines: typing filters the rows of all tables, and chosen engines are
// highlighted wherever an element says `data-engine`, in tables and charts alike. The bar stands
// where the page has an empty `[data-controls]`.

const marked = [...document.querySelectorAll("[data-engine]")];
const rowOf = (element) => element.closest("tr") ?? element;

const engines = new Map();
for (const element of marked) {
  if (element.tagName !== "TH") continue;
  const id = element.dataset.engine;
  if (!engines.has(id)) engines.set(id, element.querySelector("bdi")?.textContent ?? id);
}

const bar = document.querySelector("[data-controls]");
if (bar && engines.size > 1) {
  const field = make("input", { type: "search", autocomplete: "off", spellcheck: "false", maxlength: "60" });
  const count = make("output", { "aria-live": "polite" });
  const chosen = new Set();
  const buttons = [...engines].map(([id, label]) => {
    const button = make("button", { type: "button", "aria-pressed": "false" }, make("bdi", {}, label));
    button.addEventListener("click", () => {
      if (!chosen.delete(id)) chosen.add(id);
      state.set("h", [...chosen].join(","));
      highlight();
    });
    return { id, button };
  });
  const clear = make("button", { type: "button" }, "None");
  clear.addEventListener("click", () => {
    chosen.clear();
    state.set("h", "");
    highlight();
  });
  const summary = make("summary", {}, "Highlight");

  const highlight = () => {
    document.documentElement.classList.toggle("has-highlight", chosen.size > 0);
    for (const element of marked) rowOf(element).classList.remove("is-on");
    for (const element of marked) if (chosen.has(element.dataset.engine)) rowOf(element).classList.add("is-on");
    for (const { id, button } of buttons) button.setAttribute("aria-pressed", chosen.has(id));
    summary.textContent = chosen.size ? `Highlight (${chosen.size})` : "Highlight";
    clear.disabled = !chosen.size;
  };

  const rows = [...document.querySelectorAll("table.sortable > tbody > tr")]
    .filter((row) => row.querySelector("[data-engine]"))
    .map((row) => ({ row, text: row.querySelector("th").textContent.toLowerCase() }));
  const filter = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const { row, text } of rows) {
      row.hidden = words.length > 0 && !words.some((word) => text.includes(word));
      if (!row.hidden) shown += 1;
    }
    count.textContent = words.length ? `${shown} of ${rows.length} rows` : "";
  };
  field.addEventListener("input", () => {
    filter();
    state.set("f", field.value.trim());
  });

  bar.append(
    make("label", {}, make("span", {}, "Filter engines"), field),
    count,
    make("details", {}, summary, make("div", { class: "choices" }, ...buttons.map(({ button }) => button), clear)),
  );
  state.follow(() => {
    field.value = state.get("f");
    chosen.clear();
    for (const id of state.get("h").split(",")) if (engines.has(id)) chosen.add(id);
    filter();
    highlight();
  });
}
