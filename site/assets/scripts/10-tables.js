// Sorting by a click on a column head; the last sorted table and column are part of the state.

const offset = (cell) =>
  [...cell.parentElement.cells].slice(0, cell.cellIndex).reduce((sum, other) => sum + other.colSpan, 0);

const valueOf = (row, column) => {
  const cell = [...row.cells].find((cell) => offset(cell) === column);
  if (!cell) return null;
  if (cell.dataset.v !== undefined) return Number(cell.dataset.v);
  return cell.tagName === "TH" ? cell.textContent.trim().toLowerCase() : null;
};

function sortBy(table, head, column, down) {
  const body = table.tBodies[0];
  const sign = down ? -1 : 1;
  const rows = [...body.rows].map((row) => ({ row, value: valueOf(row, column) }));
  rows.sort((a, b) => {
    if (a.value === null || b.value === null) return (a.value === null) - (b.value === null);
    return a.value < b.value ? -sign : a.value > b.value ? sign : 0;
  });
  for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  body.append(...rows.map(({ row }) => row));
}

const sortables = [...document.querySelectorAll("table.sortable")]
  .filter((table) => table.tHead && table.tBodies.length)
  .map((table, place) => {
    const columns = new Map();
    for (const head of table.tHead.rows[table.tHead.rows.length - 1].cells) {
      const column = offset(head);
      if (![...table.tBodies[0].rows].some((row) => valueOf(row, column) !== null)) continue;
      const button = make("button", { type: "button" }, ...head.childNodes);
      button.addEventListener("click", () => {
        const was = head.getAttribute("aria-sort");
        const down = column ? was !== "descending" : was === "ascending";
        sortBy(table, head, column, down);
        state.set("s", `${place}.${column}.${down ? "d" : "a"}`);
      });
      head.append(button);
      columns.set(column, head);
    }
    return { table, columns };
  });

state.follow(() => {
  const [place, column, way] = state.get("s").split(".");
  const { table, columns } = sortables[place] ?? {};
  const head = columns?.get(Number(column));
  if (head) sortBy(table, head, Number(column), way === "d");
});

const spent = document.querySelector(".age"); // its line is kept free: nothing below moves
if (spent) {
  const newest = spent.parentElement.querySelector("time").dateTime;
  const hours = Math.floor((Date.now() - Date.parse(newest)) / 3.6e6);
  const age = hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`;
  if (hours >= 1) spent.textContent = `That run is ${age} old.`;
}
