// Sorting by a click on a column head, and the age of the data. Every figure is in the page
// without this file.
"use strict";

const valueOf = (row, column) => {
  const cell = [...row.cells].find((cell) => offset(cell) === column);
  if (!cell) return null;
  if (cell.dataset.v !== undefined) return Number(cell.dataset.v);
  return cell.tagName === "TH" ? cell.textContent.trim().toLowerCase() : null;
};

const offset = (cell) =>
  [...cell.parentElement.cells].slice(0, cell.cellIndex).reduce((sum, other) => sum + other.colSpan, 0);

function sortBy(table, head, column) {
  const body = table.tBodies[0];
  const down = head.getAttribute("aria-sort") !== "descending" && column > 0;
  const up = column === 0 && head.getAttribute("aria-sort") === "ascending";
  const sign = down || up ? -1 : 1;
  const rows = [...body.rows].map((row) => ({ row, value: valueOf(row, column) }));
  rows.sort((a, b) => {
    if (a.value === null || b.value === null) return (a.value === null) - (b.value === null);
    return a.value < b.value ? -sign : a.value > b.value ? sign : 0;
  });
  for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", sign < 0 ? "descending" : "ascending");
  body.append(...rows.map(({ row }) => row));
}

for (const table of document.querySelectorAll("table.sortable")) {
  const heads = table.tHead.rows[table.tHead.rows.length - 1].cells;
  for (const head of heads) {
    const column = offset(head);
    const sortable = [...table.tBodies[0].rows].some((row) => valueOf(row, column) !== null);
    if (!sortable) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    button.addEventListener("click", () => sortBy(table, head, column));
    head.append(button);
  }
}

const newest = document.querySelector(".meta time");
if (newest) {
  const hours = Math.floor((Date.now() - Date.parse(newest.dateTime)) / 3.6e6);
  const age = hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`;
  if (hours >= 1) newest.after(` (${age} ago)`);
}
