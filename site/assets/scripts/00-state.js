// What all pieces share: elements made of text, and the state of the page in its address.
// Every figure is in the page without this script.
"use strict";

/** An element with attributes; text and elements become children, never markup. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== ""));
  return element;
}

/** What must settle before the page counts as ready. */
const pending = [];

/**
 * The state as `#key=value&key=value`, at most 100 characters, so that an address can be passed on.
 * A fragment without `=` is an anchor and stays one. Where all does not fit, the keys that come
 * last in ORDER are left out of the address; the page itself keeps them.
 */
const state = (() => {
  const LONGEST = 100;
  const ORDER = ["b", "r", "n", "t", "u", "v", "s", "e", "m", "h", "q", "f"];
  const listeners = [];
  let values = read();

  function read() {
    const text = location.hash.slice(1);
    const found = {};
    if (!text.includes("=")) return found;
    for (const [key, value] of new URLSearchParams(text)) {
      if (ORDER.includes(key)) found[key] = value.slice(0, LONGEST);
    }
    return found;
  }

  function write() {
    let text = "";
    for (const key of ORDER) {
      if (!values[key]) continue;
      const more = `${text ? "&" : "#"}${key}=${encodeURIComponent(values[key].toWellFormed?.() ?? values[key])}`;
      if (text.length + more.length <= LONGEST) text += more;
    }
    if (text === location.hash || (!text && !location.hash.includes("="))) return;
    history.replaceState(null, "", text || location.pathname + location.search);
  }

  addEventListener("hashchange", () => {
    if (location.hash && !location.hash.includes("=")) return;
    values = read();
    for (const listener of listeners) listener();
  });

  return {
    get: (key) => values[key] ?? "",
    set(key, value) {
      values[key] = value;
      if (key === "b") values.r = ""; // a run belongs to its bench, a query to its run
      if (key === "b" || key === "r") values.n = "";
      write();
    },
    /** Calls `apply` now and whenever a reader follows a link to another state. */
    follow(apply) {
      listeners.push(apply);
      apply();
    },
  };
})();
