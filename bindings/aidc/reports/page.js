// SPDX-License-Identifier: GPL-2.0-only
//
// What moves in a report: tables that sort, charts (by Plotly), the picture of the network.
"use strict";

const isDark = matchMedia("(prefers-color-scheme: dark)");
const isCoarse = matchMedia("(pointer: coarse)");
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function make(tag, attributes = {}, ...children) {
  const isSvg = ["svg", "line", "circle", "use", "text", "g"].includes(tag);
  const element = isSvg
    ? document.createElementNS("http://www.w3.org/2000/svg", tag)
    : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

function choice(name, values, change) {
  const select = make("select", {}, ...values.map((value, i) => make("option", { value: i }, value)));
  select.addEventListener("change", change);
  return { label: make("label", {}, name, select), select };
}

// Tables

function sortBy(table, column) {
  const heads = [...table.tHead.rows[0].cells];
  const isUp = heads[column].getAttribute("aria-sort") !== "ascending";
  heads.forEach((head) => head.removeAttribute("aria-sort"));
  heads[column].setAttribute("aria-sort", isUp ? "ascending" : "descending");
  const key = (row) => {
    const cell = row.cells[column];
    return cell.dataset.value === undefined ? cell.textContent : Number(cell.dataset.value);
  };
  const order = (a, b) => {
    const [x, y] = [key(a), key(b)];
    if (typeof x !== typeof y) {
      return typeof x === "number" ? -1 : 1; // what has no value comes last
    }
    const sign = typeof x === "number" ? x - y : x.localeCompare(y, "en", { numeric: true });
    return isUp ? sign : -sign;
  };
  table.tBodies[0].append(...[...table.tBodies[0].rows].sort(order));
}

function makeSortable(table) {
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    head.querySelector("button").addEventListener("click", () => sortBy(table, column));
  });
}

// A box that can be scrolled has a shadow at each edge beyond which there is more.
function showEdges(frame) {
  const box = frame.querySelector(".scroll");
  const show = () => {
    frame.classList.toggle("more-left", box.scrollLeft > 1);
    frame.classList.toggle("more-right", box.scrollLeft + box.clientWidth < box.scrollWidth - 1);
    frame.classList.toggle("more-below", box.scrollTop + box.clientHeight < box.scrollHeight - 1);
  };
  box.addEventListener("scroll", show, { passive: true });
  new ResizeObserver(show).observe(box);
  show();
}

function fillTable(details, html) {
  const search = make("input", { type: "search", placeholder: "filter", "aria-label": "filter" });
  search.addEventListener("input", () => {
    const words = search.value.toLowerCase().split(/\s+/);
    for (const row of details.querySelector("tbody").rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
    }
  });
  details.append(make("div", { class: "controls" }, search));
  details.insertAdjacentHTML("beforeend", html);
  makeSortable(details.querySelector("table"));
  showEdges(details.querySelector(".wide"));
}

// Charts

// Grays would be lost in the dark: there, the darker they are, the lighter they get.
function shown(color) {
  if (color === "ink") {
    return css("--ink");
  }
  const gray = /^#(..)\1\1$/.exec(color);
  if (!gray || !isDark.matches) {
    return color;
  }
  const level = Math.round(240 - parseInt(gray[1], 16) * 0.6).toString(16).padStart(2, "0");
  return `#${level}${level}${level}`;
}

function colored({ color, line, ...rest }) {
  return { ...rest, ...(color && { color: shown(color) }), ...(line && { line: colored(line) }) };
}

function themed(view) {
  const data = view.data.map((trace) => ({
    ...trace,
    ...Object.fromEntries(["line", "marker", "error_y"].filter((part) => trace[part])
      .map((part) => [part, colored(trace[part])])),
  }));
  const axis = { gridcolor: css("--line"), zerolinecolor: css("--line"), linecolor: css("--soft"),
    showline: true, automargin: true, ...(innerWidth < 600 && { title: { font: { size: 10 } } }) };
  const layout = {
    ...view.layout,
    template: { layout: { xaxis: axis, yaxis: axis } },
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { color: css("--ink"), family: getComputedStyle(document.body).fontFamily, size: 12 },
    margin: { l: 64, r: 12, t: isCoarse.matches ? 40 : 24, b: 48 },
    hovermode: "closest",
    dragmode: isCoarse.matches ? false : "zoom", // a finger scrolls the page; buttons zoom
    legend: { orientation: "h", yanchor: "bottom", y: 1.01, x: 0, ...view.layout.legend },
    hoverlabel: { align: "left", namelength: -1 },
    modebar: { bgcolor: "rgba(0,0,0,0)", color: css("--soft"), activecolor: css("--accent") },
  };
  return { data, layout };
}

class Chart {
  constructor(figure, chart) {
    this.chart = chart;
    this.plot = make("div", { class: "plot" });
    this.files = make("figcaption");
    this.log = make("input", { type: "checkbox" });
    this.log.addEventListener("change", () => this.draw());
    const controls = make("div", { class: "controls" });
    this.selects = Object.entries(chart.dimensions).map(([name, values]) => {
      const { label, select } = choice(name, values, () => this.draw());
      if (values.length > 1) {
        controls.append(label);
      }
      return select;
    });
    controls.append(make("label", {}, this.log, "logarithmic"));
    figure.append(controls, this.plot, this.files);
    const [first] = Object.keys(chart.views);
    first.split(",").forEach((place, i) => { this.selects[i].value = place; });
    // Drawn when it comes near, so that the page is there at once
    new IntersectionObserver((entries, observer) => {
      if (entries.some((entry) => entry.isIntersecting)) {
        observer.disconnect();
        this.isSeen = true;
        this.draw();
      }
    }, { rootMargin: "200px" }).observe(figure);
    isDark.addEventListener("change", () => this.draw());
  }

  draw() {
    if (!this.isSeen) {
      return;
    }
    const view = this.chart.views[this.selects.map((select) => select.value).join(",")];
    this.files.replaceChildren();
    if (!window.Plotly) { // whose script takes longer than all else
      const script = make("script");
      script.textContent = document.getElementById("plotly").textContent;
      document.head.append(script);
    }
    if (!view) {
      Plotly.purge(this.plot);
      this.plot.textContent = "There is nothing of this combination.";
      return;
    }
    if (!this.plot.classList.contains("js-plotly-plot")) {
      this.plot.replaceChildren();
    }
    const { data, layout } = themed(view);
    for (const name of this.log.checked ? Object.keys(layout) : []) {
      if (name.startsWith("yaxis") && layout[name].type !== "category") {
        layout[name] = { ...layout[name], type: "log", rangemode: "normal", range: undefined };
      }
    }
    const config = { responsive: true, displaylogo: false,
      displayModeBar: isCoarse.matches || "hover",
      modeBarButtons: [["toImage", "zoom2d", "pan2d", "zoomIn2d", "zoomOut2d", "resetScale2d"]] };
    Plotly.react(this.plot, data, layout, config);
    this.files.append("From ", ...view.files.flatMap((name) => [make("a", { href: name }, name), " "]));
  }
}

// The picture of the network

const LOADS = [[0, "#56b4e9"], [0.5, "#e69f00"], [0.9, "#d55e00"], [1, "#d55e00"]];
// What is drawn of each is a path of the legend in page.html.
const MARKS = ["paused", "dropped", "migrations", "bottleneck_flows", "notifications"];

function loadColor(share) {
  if (share <= 0) {
    return "var(--idle)";
  }
  const i = Math.max(1, LOADS.findIndex(([level]) => share <= level));
  const [[from, low], [to, high]] = [LOADS[i - 1], LOADS[i]];
  const part = (color, i) => parseInt(color.slice(i, i + 2), 16);
  const parts = [1, 3, 5].map((i) =>
    Math.round(part(low, i) + (part(high, i) - part(low, i)) * ((share - from) / (to - from))));
  return `rgb(${parts.join(",")})`;
}

function scaled(value, digits, smallest, ...units) {
  const [size, unit] = units.find(([least]) => value >= least) || [1, smallest];
  return `${Number((value / size).toPrecision(digits))} ${unit}`;
}

const bytes = (value) => scaled(value, 3, "B", [1e6, "MB"], [1e3, "kB"]);
const time = (ns) => scaled(ns, 5, "ns", [1e9, "s"], [1e6, "ms"], [1e3, "us"]);

function drawMark(name, x, y) {
  return make("use", { class: `mark ${name}`, href: `#mark-${name}`, transform: `translate(${x},${y})` });
}

const seriesOf = (own) => Object.entries(own).filter(([, values]) => Array.isArray(values));

class Picture {
  constructor(figure, networks) {
    this.networks = networks;
    const { label, select } = choice("run", networks.map((n) => `${n.scheme} in ${n.scenario}`),
      () => this.open());
    this.select = select;
    figure.append(make("div", { class: "controls" }, label),
      document.getElementById("picture").content.cloneNode(true));
    [this.slider, this.play, this.clock, this.strip, this.frame, this.moments, this.files] =
      ["input", "button", ".clock", ".strip", ".network", ".moments", "figcaption"]
        .map((selector) => figure.querySelector(selector));
    figure.querySelector(".ramp").style.background = `linear-gradient(90deg, ${LOADS.map(
      ([level, color]) => `${color} ${100 * level}%`).join(", ")})`;
    this.slider.addEventListener("input", () => this.show());
    this.play.addEventListener("click", () => this.toggle());
    showEdges(figure.querySelector(".wide"));
    this.tip = document.getElementById("tip");
    for (const kind of ["pointermove", "pointerdown"]) {
      this.frame.addEventListener(kind, (event) => this.point(event));
    }
    this.frame.addEventListener("pointerleave", () => { this.tip.style.display = "none"; });
    this.open();
  }

  async open() {
    const chosen = this.networks[this.select.value];
    chosen.data ??= await unpack(chosen.packed);
    if (this.networks[this.select.value] !== chosen) {
      return; // another one was chosen meanwhile
    }
    this.network = chosen.data;
    this.draw();
    this.files.replaceChildren("From ", make("a", { href: chosen.file }, chosen.file));
    const loads = this.drawStrip();
    // At first, the interval with the highest load, of which there is most to see
    const busiest = Math.max(0, loads.indexOf(Math.max(...loads)));
    const before = Number(this.slider.value) / Math.max(1, Number(this.slider.max));
    this.slider.max = Math.max(0, this.network.times_ns.length - 2);
    this.slider.value = this.isOpened ? Math.round(before * this.slider.max) : busiest;
    this.isOpened = true;
    this.show();
  }

  // Draws the load of all ports by interval, and in which of them something has happened; returns the loads.
  drawStrip() {
    const { times_ns: times, ports, node_series: nodes, events } = this.network;
    const loads = times.slice(1).map((_, step) =>
      ports.reduce((sum, port) => sum + (port.load ? port.load[step] : 0), 0));
    const marked = loads.map((_, step) =>
      ports.some((port) => MARKS.some((name) => port[name]?.[step] > 0)) ||
      nodes.some((node) => node.notifications?.[step] > 0) ||
      events.some(({ time_ns: at }) => at > times[step] && at <= times[step + 1]));
    const top = Math.max(1, ...loads);
    const area = loads.map((load, step) =>
      `L${step},${(16 - (15 * load) / top).toFixed(2)}H${step + 1}`).join("");
    this.strip.setAttribute("viewBox", `0 0 ${Math.max(1, loads.length)} 20`);
    const draw = (part, d) => this.strip.querySelector(part).setAttribute("d", d);
    draw(".area", `M0,16${area}V16Z`);
    draw(".ticks", marked.map((is, step) => (is ? `M${step},17H${step + 1}V20H${step}Z` : "")).join(""));
    return loads;
  }

  draw() {
    const { nodes, links, ports, size, drawn_tiers: tiers } = this.network;
    const svg = make("svg", { viewBox: `0 0 ${size[0]} ${size[1]}`, role: "img",
      "aria-label": "the network" });
    const [lines, queues, marks, dots] = [0, 0, 0, 0].map(() => make("g"));
    svg.append(lines, queues, dots, marks);
    this.ports = [];
    const isDrawn = (node) => node.x !== undefined;
    const series = new Map(ports.map((port) => [2 * port.link + port.end, port]));
    links.forEach((link, i) => [0, 1].forEach((end) => {
      const [from, to] = end === 0 ? [nodes[link.a], nodes[link.b]] : [nodes[link.b], nodes[link.a]];
      if (!isDrawn(from) || !isDrawn(to)) {
        return;
      }
      const at = (share) => [from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share];
      const [x, y] = at(0.5);
      const half = { x1: from.x, y1: from.y, x2: x, y2: y, "data-port": this.ports.length };
      const line = make("line", { class: "half", ...half });
      // A thin line is hard to hit.
      const target = make("line", { ...half, stroke: "transparent", "stroke-width": 9 });
      lines.append(line, target);
      const own = series.get(2 * i + end) || {};
      const port = { own, line, link, number: i, from, to, marks: [] };
      if (own.queue_byte) {
        const [cx, cy] = at(from.tier === "host" ? 0.14 : 0.2);
        port.queue = make("circle", { class: "queue", cx, cy, r: 0, "data-port": this.ports.length });
        queues.append(port.queue);
      }
      MARKS.filter((name) => own[name]).forEach((name, place) => {
        const mark = drawMark(name, ...at(0.3 + 0.06 * place));
        marks.append(mark);
        port.marks.push([name, mark]);
      });
      this.ports.push(port);
    }));
    const ofNodes = new Map(this.network.node_series.map((own) => [own.node, own]));
    this.nodes = nodes.map((node, number) => ({ node, number, own: ofNodes.get(number) || {}, marks: [] }));
    for (const { node, number, own, marks: ofNode } of this.nodes.filter((item) => isDrawn(item.node))) {
      const isHost = node.tier === "host";
      dots.append(make("circle", { class: isHost ? "node host" : "node", cx: node.x, cy: node.y,
        r: isHost ? 3 : 6, "data-node": number }));
      dots.append(...this.label(node));
      if (own.notifications) {
        const mark = drawMark("notifications", node.x + 15, node.y);
        marks.append(mark);
        ofNode.push(["notifications", mark]);
      }
    }
    this.highest = Math.max(1, ...ports.map((port) => Math.max(0, ...(port.queue_byte || []))));
    this.frame.replaceChildren(svg);
    if (nodes.some((node) => !isDrawn(node)) && !tiers.includes("host")) {
      this.frame.append(make("p", { class: "about" }, "Hosts are too many to be drawn."));
    }
  }

  // The name of a node: above it, below a host, or downward below a host.
  label({ x, y, tier, label = [], is_turned: isTurned }) {
    if (isTurned) {
      return [make("text", { class: "turned", transform: `translate(${x - 3},${y + 7}) rotate(90)` }, ...label)];
    }
    return label.map((line, i) =>
      make("text", { x, y: tier === "host" ? y + 15 : y + 2 - 12 * (label.length - i) }, line));
  }

  show() {
    const step = Number(this.slider.value);
    const { times_ns: times, events } = this.network;
    const failed = new Set();
    const moments = [];
    for (const event of events) {
      if (event.time_ns <= times[step + 1]) {
        failed[event.event === "link-down" ? "add" : "delete"](event.link);
      }
      if (event.time_ns > times[step] && event.time_ns <= times[step + 1]) {
        const { a, b } = this.network.links[event.link];
        moments.push(`${time(event.time_ns)}: ${event.event} ${this.network.nodes[a].name} – ` +
          this.network.nodes[b].name);
      }
    }
    const sums = {};
    const note = (name, value) => { sums[name] = (sums[name] || 0) + value; };
    for (const { own, line, queue, marks, number } of this.ports) {
      const share = own.load ? own.load[step] / 1000 : 0;
      line.style.stroke = loadColor(share);
      line.style.strokeWidth = 1 + 2.6 * share;
      line.classList.toggle("failed", failed.has(number));
      if (queue) {
        queue.setAttribute("r", (9 * Math.sqrt(own.queue_byte[step] / this.highest)).toFixed(2));
      }
      for (const [name, mark] of marks) {
        mark.style.display = own[name][step] > 0 ? "" : "none";
        note(name, own[name][step] > 0 ? (name === "paused" ? 1 : own[name][step]) : 0);
      }
    }
    for (const { own, marks } of this.nodes) {
      seriesOf(own).forEach(([name, values]) => note(name, values[step]));
      for (const [name, mark] of marks) {
        mark.style.display = own[name][step] > 0 ? "" : "none";
      }
    }
    const words = { paused: ["port", "paused"], dropped: ["packet", "dropped"],
      migrations: ["flow set", "moved"], bottleneck_flows: ["flow", "told of a bottleneck"],
      notifications: ["notification"], cnps: ["CNP"], rate_reductions: ["rate reduction", "at the edge"],
      path_changes: ["flow", "on another path"] };
    for (const [name, sum] of Object.entries(sums)) {
      if (sum > 0) {
        const [what, ...more] = words[name] || [name];
        moments.push([sum, sum === 1 ? what : `${what}s`, ...more].join(" "));
      }
    }
    this.clock.textContent = times.length > 1 ? `${time(times[step])} to ${time(times[step + 1])}` : "";
    this.moments.textContent = moments.join("; ") || "No event in this interval.";
  }

  toggle() {
    const isPlaying = this.timer !== undefined;
    clearInterval(this.timer);
    this.timer = undefined;
    this.play.textContent = isPlaying ? "Play" : "Pause";
    if (!isPlaying) {
      this.timer = setInterval(() => {
        const next = Number(this.slider.value) + 1;
        this.slider.value = next > Number(this.slider.max) ? 0 : next;
        this.show();
      }, 120);
    }
  }

  point(event) {
    const { port, node } = event.target.dataset || {};
    if (port === undefined && node === undefined) {
      this.tip.style.display = "none";
      return;
    }
    const step = Number(this.slider.value);
    const { own, node: pointed, from, to, link } = port === undefined ? this.nodes[node] : this.ports[port];
    const text = pointed ? [pointed.name] : [`${from.name} to ${to.name}`,
      `${Number((link.rate_bps / 1e9).toPrecision(4))} Gbit/s`,
      `load ${((own.load ? own.load[step] : 0) / 10).toFixed(1)} %`];
    for (const [name, values] of seriesOf(own)) {
      if (name !== "load") {
        const value = values[step];
        text.push(name === "queue_byte" ? `queue ${bytes(value)}`
          : name === "paused" ? `paused ${(value / 10).toFixed(1)} % of the time`
            : `${name.replaceAll("_", " ")} ${value}`);
      }
    }
    this.tip.textContent = text.join("\n");
    this.tip.style.display = "block";
    const box = this.tip.getBoundingClientRect();
    this.tip.style.left = `${Math.min(event.clientX + 12, innerWidth - box.width - 6)}px`;
    this.tip.style.top = `${Math.max(6, Math.min(event.clientY + 12, innerHeight - box.height - 6))}px`;
  }
}

// The page

async function begin() {
  document.querySelectorAll("table.sortable").forEach(makeSortable);
  document.querySelectorAll(".wide").forEach(showEdges);
  const networks = JSON.parse(document.getElementById("networks").textContent);
  const { charts, tables } = await unpack(document.getElementById("data").textContent);
  for (const figure of document.querySelectorAll("figure[data-chart]")) {
    new Chart(figure, charts[figure.dataset.chart]);
  }
  for (const figure of document.querySelectorAll("figure[data-networks]")) {
    new Picture(figure, networks);
  }
  for (const details of document.querySelectorAll("details[data-table]")) {
    details.addEventListener("toggle", () => fillTable(details, tables[details.dataset.table]),
      { once: true });
  }
  document.documentElement.dataset.ready = "true";
}

begin().catch((error) => {
  const text = typeof DecompressionStream === "undefined"
    ? "This report needs a browser of 2023 or later." : `This report could not be shown: ${error}`;
  document.querySelector("main").prepend(make("p", { role: "alert" }, text));
  throw error;
});
