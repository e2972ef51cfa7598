// The judgement browser: lists all queries of a bench from its index, filters them, and loads the
// shard behind a query when the query is opened. Builds what _judged.html.j2 builds.

// The same two rules as web_links.py.
const WEB = /^https?:\/\/[^\s\\<>"…]+$/i;
const HOST = /^[a-z]+:\/\/(?:[^/?#]*@)?(?:www\.)?([^/?#:@]+)/i;
const hostOf = (url) => (WEB.test(url) && HOST.exec(url)?.[1].toLowerCase()) || url;
const PAGE = 50;

async function fetched(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`.trim());
  return answer.json();
}

const bdi = (text) => make("bdi", {}, text);
const paragraph = (kind, ...children) => make("p", { class: kind }, ...children);
const chip = (text, kind = "") => make("span", { class: `chip ${kind}`.trim() }, text);

function verdicts(one) {
  const chips = [];
  if (one.label) chips.push(chip(`${one.rating} ${one.label}`, `r${one.rating}`));
  if (one.repeats) chips.push(chip("repeated address, counts 0", "bad"));
  for (const [gate, value] of Object.entries(one.gates ?? {})) chips.push(chip(`${gate}: ${value}`, "bad"));
  for (const gate of one.code_gates ?? []) chips.push(chip(`${gate}: failed by code`, "bad"));
  for (const gate of one.above_gates ?? []) chips.push(chip(`rated above a failed gate: ${gate}`, "bad"));
  if (one.match) chips.push(chip(`match: ${one.match}`, "hit"));
  if (one.model_match === true) chips.push(chip("model: states it", "hit"));
  if (one.model_match === false) chips.push(chip("model: does not state it"));
  return chips;
}

function resultItem(one) {
  const name = bdi(one.title || one.url);
  const title = WEB.test(one.url) ? make("a", { href: one.url, rel: "nofollow noopener" }, name) : name;
  const source = paragraph("fine", bdi(hostOf(one.url)));
  if (one.published) source.append(" ", bdi(one.published));
  return make(
    "li",
    { class: "result" },
    paragraph("title", title),
    source,
    paragraph("ratings", ...verdicts(one)),
    one.snippet ? paragraph("snippet", bdi(one.snippet)) : null,
    one.reasoning ? paragraph("reasoning", make("b", {}, "Judge:"), " ", bdi(one.reasoning)) : null,
    one.ids ? paragraph("fine", "Identifiers: ", bdi(one.ids.join(", "))) : null,
  );
}

function gotText(one, index) {
  if (one.score === null) return "not scored";
  if (index.metric === "ndcg") return `nDCG@${index.k} ${one.score.toFixed(3)}`;
  return one.hit_rank ? `hit at rank ${one.hit_rank}` : "miss";
}

function answerBox(one, index, label) {
  const results = one.results ?? [];
  const code = one.code_rank ? `rank ${one.code_rank}` : "nothing";
  return make(
    "div",
    { class: "answer", "data-engine": one.engine },
    make("h3", {}, bdi(label)),
    paragraph("got", gotText(one, index)),
    one.hit_rank && one.code_rank !== one.hit_rank ? paragraph("fine", `by the model; code matched ${code}`) : null,
    one.error ? paragraph("fine", "Search failed: ", bdi(one.error)) : null,
    !one.error && !results.length ? paragraph("fine", "No results.") : null,
    results.length ? make("ol", {}, ...results.map(resultItem)) : null,
  );
}

function bodyOf(query, answers, index, labels) {
  const facts = Object.entries(query.facts).flatMap(([name, text]) => [make("dt", {}, name), make("dd", {}, bdi(text))]);
  const side = { class: "side", role: "region", tabindex: "0", "aria-label": `${index.label}, query ${query.n}: the answers side by side` };
  return make(
    "div",
    { class: "body" },
    make("dl", { class: "facts" }, ...facts),
    make("div", side, ...answers.map((one) => answerBox(one, index, labels.get(one.engine)))),
  );
}

function gistOf(listed, index) {
  const scored = listed.scores.filter((score, at) => score !== null && index.engines[at].engine !== "ultimate");
  if (!scored.length) return "not scored";
  if (index.metric === "ndcg") return `best ${Math.max(...scored).toFixed(3)} of ${scored.length} scored`;
  return `${scored.filter(Boolean).length} of ${scored.length} hit`;
}

/** The newest run, whose first queries stand in the page, and earlier ones in folders of their own. */
class Bench {
  constructor(home) {
    this.home = home;
    this.key = home.dataset.judgements;
    this.runs = [...home.parentElement.querySelectorAll("[data-run]")];
    this.caption = home.parentElement.querySelector("[data-run-caption]");
    this.captions = new Map([["", [...this.caption.childNodes]]]);
    this.run = "";
    this.clear();
  }

  /** Forgets the run before; the queries that stand in the page are those of the newest. */
  clear() {
    this.shards = new Map();
    this.entries = new Map();
    for (const entry of this.home.children) this.entries.set(Number(entry.dataset.n), entry);
    for (const entry of this.entries.values()) this.watch(entry);
    this.shown = PAGE;
  }

  get folder() {
    return this.run ? `${this.key}/${this.run}` : this.key;
  }

  /** Loads the index of the chosen run once, and shows it; says so where it cannot be loaded. */
  start() {
    const run = this.run;
    this.started ??= fetched(`${this.folder}/index.json`).then(
      (index) => (run === this.run ? this.use(index) : null),
      (error) => {
        if (run !== this.run) return;
        const retry = make("button", { type: "button" }, "Try again");
        const note = paragraph("failed", `The list of the other queries could not be loaded (${error.message}). `, retry);
        note.setAttribute("role", "alert");
        retry.addEventListener("click", () => {
          note.remove();
          this.started = null;
          this.start();
        });
        this.home.after(note);
      },
    );
    return this.started;
  }

  /** Another run of the bench: its queries take the place of those in sight. */
  open(run) {
    this.run = run;
    this.index = null;
    for (const note of this.home.parentElement.querySelectorAll(":scope > .failed")) note.remove();
    this.home.replaceChildren();
    this.clear();
    this.started = null;
    return this.start();
  }

  use(index) {
    this.index = index;
    this.labels = new Map(index.engines.map((each) => [each.engine, each.label]));
    this.texts = index.queries.map((each) => `${each.query} ${each.bucket}`.toLowerCase());
    if (!this.field) this.build();
    const all = make("option", { value: "" }, "All engines");
    this.engine.replaceChildren(all, ...index.engines.map((each) => make("option", { value: each.engine }, each.label)));
    if (!this.captions.has(this.run)) {
      const metric = index.metric === "ndcg" ? "nDCG" : "recall";
      const count = `${index.queries.length} ${index.queries.length === 1 ? "query" : "queries"}`;
      const judge = index.judge_model ? bdi(index.judge_model) : "none, matched by code";
      const ts = this.runs.find((link) => link.dataset.run === this.run).textContent;
      this.captions.set(this.run, [`Run of ${ts}: ${count}, ${metric}@${index.k}. Judge: `, judge, "."]);
    }
    this.caption.replaceChildren(...this.captions.get(this.run));
    return this.restore();
  }

  build() {
    this.field = make("input", { type: "search", autocomplete: "off", spellcheck: "false", maxlength: "60" });
    this.engine = make("select");
    const kinds = [["", "All"], ["miss", "Missed"], ["none", "Missed by all"], ["skip", "Not scored"]];
    this.kind = make("select", {}, ...kinds.map(([value, label]) => make("option", { value }, label)));
    const earlier = this.runs.map((link) => make("option", { value: link.dataset.run }, link.textContent));
    this.which = make("select", {}, make("option", { value: "" }, "Newest"), ...earlier);
    this.count = make("output", { "aria-live": "polite" });
    this.more = make("button", { type: "button", class: "more" }, "Show more");
    this.field.addEventListener("input", () => this.change("q", this.field.value.trim()));
    this.engine.addEventListener("change", () => this.change("e", this.engine.value));
    this.kind.addEventListener("change", () => this.change("m", this.kind.value));
    this.which.addEventListener("change", () => {
      state.set("r", this.which.value);
      this.open(this.which.value);
    });
    this.more.addEventListener("click", () => {
      this.shown += PAGE;
      this.list();
    });
    const label = (text, control) => make("label", {}, make("span", {}, text), control);
    this.home.before(
      make(
        "div",
        { class: "controls" },
        label("Filter queries", this.field),
        label("Engine", this.engine),
        label("Outcome", this.kind),
        earlier.length ? label("Run", this.which) : null,
        this.count,
      ),
    );
    this.home.after(this.more);
  }

  change(key, value) {
    state.set(key, value);
    this.shown = PAGE;
    this.list();
  }

  /** The run and the controls as the address says, and the query that it names, open and in sight. */
  restore() {
    if (!this.index) return null;
    const run = this.runs.some((link) => link.dataset.run === state.get("r")) ? state.get("r") : "";
    if (run !== this.run) return this.open(run);
    this.which.value = run;
    this.field.value = state.get("q");
    this.engine.value = this.labels.has(state.get("e")) ? state.get("e") : "";
    this.kind.value = state.get("m");
    if (this.kind.selectedIndex < 0) this.kind.value = "";
    this.list();
    const n = Number(state.get("n"));
    if (!n || !this.index.queries[n - 1]) return null;
    const entry = this.entry(n);
    entry.hidden = false;
    if (!entry.open) entry.open = true;
    return this.load(entry).then(() => entry.scrollIntoView());
  }

  isListed(listed, at) {
    const words = this.field.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (!words.every((word) => this.texts[at].includes(word))) return false;
    const scoresOf = (wanted) => listed.scores.filter((_, place) => wanted(this.index.engines[place].engine));
    const all = scoresOf((engine) => engine !== "ultimate");
    const own = this.engine.value ? scoresOf((engine) => engine === this.engine.value) : all;
    if (this.kind.value === "miss") return own.includes(0);
    if (this.kind.value === "skip") return own.includes(null);
    if (this.kind.value === "none") return all.includes(0) && !all.some(Boolean);
    return true;
  }

  list() {
    const found = this.index.queries.map((listed, at) => (this.isListed(listed, at) ? at + 1 : 0)).filter(Boolean);
    const visible = new Set(found.slice(0, this.shown));
    for (const n of visible) this.entry(n);
    for (const [n, entry] of this.entries) entry.hidden = !visible.has(n);
    this.more.hidden = found.length <= this.shown;
    this.count.textContent = `${found.length} of ${this.index.queries.length} queries`;
    for (const entry of this.entries.values()) this.narrow(entry);
  }

  /** Hides the answers of engines that were not chosen. */
  narrow(entry) {
    const chosen = this.engine?.value;
    for (const box of entry.querySelectorAll(".answer")) box.hidden = Boolean(chosen) && box.dataset.engine !== chosen;
  }

  /** The entry of a query, made and put in its place where it is not there yet. */
  entry(n) {
    let entry = this.entries.get(n);
    if (entry) return entry;
    const listed = this.index.queries[n - 1];
    const ask = make("span", { class: "ask" }, bdi(listed.query));
    const gist = make("span", { class: "gist" }, gistOf(listed, this.index));
    const summary = make("summary", {}, make("span", { class: "n" }, String(n)), " ", ask, " ", gist);
    entry = make("details", { class: "query", id: `${this.key}-${n}`, "data-n": n }, summary);
    const next = [...this.home.children].find((other) => Number(other.dataset.n) > n);
    this.home.insertBefore(entry, next ?? null);
    this.entries.set(n, entry);
    this.watch(entry);
    return entry;
  }

  watch(entry) {
    entry.addEventListener("toggle", () => {
      if (entry.open && this.index) this.load(entry);
    });
    entry.querySelector("summary").addEventListener("click", () => state.set("n", entry.open ? "" : entry.dataset.n));
  }

  /** Fills an entry from its shards, once; a failure stands where the answers would. */
  async load(entry) {
    if (entry.querySelector(".body") || entry.dataset.loading) return;
    entry.dataset.loading = "true";
    entry.querySelector(".failed")?.remove();
    const n = Number(entry.dataset.n);
    try {
      const shards = await Promise.all(this.index.queries[n - 1].shards.map((number) => this.shard(number)));
      const pieces = shards.flatMap((shard) => shard.queries.filter((query) => query.n === n));
      if (!pieces.length) throw new Error("the query is not in its file");
      entry.append(bodyOf(pieces[0], pieces.flatMap((piece) => piece.engines), this.index, this.labels));
      this.narrow(entry);
    } catch (error) {
      const retry = make("button", { type: "button" }, "Try again");
      retry.addEventListener("click", () => this.load(entry));
      const note = paragraph("failed", `The results of this query could not be loaded (${error.message}). `, retry);
      note.setAttribute("role", "alert");
      entry.append(note);
    } finally {
      delete entry.dataset.loading;
    }
  }

  /** A shard, fetched once; a failure is not kept, so that a second try can succeed. */
  shard(number) {
    if (!this.shards.has(number)) {
      const loading = fetched(`${this.folder}/${number}.json`);
      loading.catch(() => this.shards.delete(number));
      this.shards.set(number, loading);
    }
    return this.shards.get(number);
  }
}

for (const home of document.querySelectorAll("[data-judgements]")) {
  const bench = new Bench(home);
  const panel = home.closest("[data-tab]");
  // A page with one bench has no tabs, and its panel is always in sight.
  if (panel.role === "tabpanel") panel.addEventListener("shown", () => bench.start().then(() => bench.restore()));
  if (!panel.hidden) pending.push(bench.start());
  state.follow(() => {
    if (!panel.hidden) pending.push(Promise.resolve(bench.restore()));
  });
}
