// Leaves on the dashboard what makes a card of it: brand, dates, notes and the standings, made
// smaller until all of them fit. A constructed style sheet is no inline style, so the page's own
// Content-Security-Policy stays as it is.
([width, height]) => {
  const style = new CSSStyleSheet();
  style.replaceSync(`
    .skip, .local, .top nav, body > footer, .intro .lead, .intro .age,
    main > :not(.intro, #standings), #standings > p:not(.fine) { display: none !important; }
    .intro { padding-block: 28px 0 !important; }
    .intro h1 { font-size: 30px !important; max-width: none !important; margin: 0 0 10px !important; }
    .intro .as-of { font-size: 20px !important; color: inherit !important; margin: 0 0 4px !important; }
    #standings { padding-block: 20px !important; border: 0 !important; }
    .scroll { overflow: visible !important; width: max-content; min-width: 100%; }
    .no-charts .charts { display: none !important; }
  `);
  document.adoptedStyleSheets.push(style);
  const root = document.documentElement;
  const fits = () => root.scrollHeight <= height && root.scrollWidth <= width;
  if (!fits()) root.classList.add("no-charts");
  for (let zoom = 1; zoom > 0.4 && !fits(); zoom -= 0.02) document.body.style.zoom = zoom;
}
