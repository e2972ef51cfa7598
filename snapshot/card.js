// Leaves on the dashboard what makes a card of it: brand, dates, notes and the standings, made
// smaller until all of them fit; the chart goes before the table gets too small to read.
// A constructed style sheet is no inline style, so the page's own policy stays as it is.
([width, height]) => {
  const style = new CSSStyleSheet();
  style.replaceSync(`
    .skip, .local, .top nav, body > footer, .intro .lead, .intro .age, #standings tbody small,
    main > :not(.intro, #standings), #standings > :is(h2, p:not(.fine)) { display: none !important; }
    .bar, main { max-width: none !important; padding-inline: 40px !important; }
    main > *, .scroll, .note { max-width: none !important; overflow: visible !important; contain: none !important; }
    .intro { padding-block: 24px 0 !important; }
    .intro h1 { font-size: 32px !important; max-width: none !important; margin: 0 0 10px !important; }
    .intro .as-of { font-size: 20px !important; color: inherit !important; max-width: none !important; margin: 0 0 4px !important; }
    .intro .meta { max-width: none !important; }
    #standings { padding-block: 16px 24px !important; margin: 0 !important; border: 0 !important; }
    #standings .scroll { width: max-content; min-width: 100%; }
    .no-charts .charts { display: none !important; }
  `);
  document.adoptedStyleSheets.push(style);
  const root = document.documentElement;
  const edge = () => document.querySelector("#standings .scroll")?.getBoundingClientRect().right ?? 0;
  const fits = () => root.scrollHeight <= height && root.scrollWidth <= width && edge() <= width - 20;
  const shrink = (least) => {
    for (let zoom = 1; zoom > least && !fits(); zoom -= 0.02) document.body.style.zoom = zoom;
  };
  shrink(0.75);
  if (fits()) return;
  root.classList.add("no-charts");
  document.body.style.zoom = 1;
  shrink(0.4);
}
