"use strict";
// The state of the page is the text of each piece of the file. An edit makes a text of a text, undo puts the old one
// back, and saving joins them: what no edit has touched is saved as it was read.
const { format, file, key, names, pieces } = JSON.parse(document.getElementById("pieces").textContent);
const texts = pieces.map((piece) => piece.text);

// CoNLL-U. A head that is not known is null, one that is no number NaN.

const MARK = "# checked = yes";
const isMark = (line) => line.trim() === MARK;
const linesOf = (text) => text.split("\n"); // no other character ends a line, whatever a form has in it

// Column 10 without what a parser says of an arc.
const withoutDoubt = (misc) => {
  const [, attributes, end] = /^(.*?)(\r?)$/s.exec(misc);
  const kept = attributes.split("|").filter((attribute) => !/^(Confidence|Uncertain|ArgmaxHead)=/.test(attribute));
  return (kept.join("|") || "_") + end;
};

const conllu = {
  read(text) {
    const lines = linesOf(text);
    const rows = lines.map((line) => line.split("\t")).filter(([id]) => /^[1-9][0-9]*$/.test(id));
    const confidence = (row) => (/(?:^|\|)Confidence=([0-9.]+)/.exec(row[9]) || [])[1];
    return {
      words: rows.map((row) => row[1]),
      tags: rows.map((row) => [row[3], row[4]].find((tag) => tag !== "_") || ""),
      heads: rows.map((row) => (row[6] === "_" ? null : Number(row[6]))),
      relations: rows.map((row) => row[7]),
      probabilities: rows.map((row) => (confidence(row) === undefined ? null : Number(confidence(row)))),
      constituents: null,
      checked: lines.some(isMark),
    };
  },
  withHead(text, word, head, relation) {
    return linesOf(text).map((line) => {
      const columns = line.split("\t");
      if (columns[0] !== String(word)) return line;
      columns.splice(6, 2, head === null ? "_" : head, relation);
      columns[9] = withoutDoubt(columns[9]);
      return columns.join("\t");
    }).join("\n");
  },
  withMark(text, checked) {
    const lines = linesOf(text).filter((line) => !isMark(line));
    const first = lines.findIndex((line) => /^[0-9]/.test(line));
    if (checked) lines.splice(first, 0, MARK + (lines[first].endsWith("\r") ? "\r" : ""));
    return lines.join("\n");
  },
};

// Brackets, as `synparse.trees.brackets` reads them: only ASCII white space separates. A constituent knows where its
// brackets and its label are, a word where it is with its tag.

const isApart = (before, after) => /[ \t\n\r\f\v()]$|^$/.test(before) || /^[ \t\n\r\f\v()]|^$/.test(after);
const joined = (...parts) => parts.reduce((before, after) => before + (isApart(before, after) ? "" : " ") + after);

const brackets = {
  read(text) {
    const words = [], tags = [], places = [], constituents = [], open = [];
    const token = /(\([ \t\n\r\f\v]*)([^ \t\n\r\f\v()]*)[ \t\n\r\f\v]*|(\))|[^ \t\n\r\f\v()]+/g;
    for (let match; (match = token.exec(text)); ) {
      if (match[1]) {
        const [, before, label] = match, { index } = match, inner = token.lastIndex;
        const node = { label, start: words.length, from: index, at: index + before.length, inner };
        constituents.push(node);
        open.push(node);
      } else if (match[3]) {
        const node = open.pop();
        node.close = match.index;
        node.end = words.length;
        const place = places[node.start];
        // A bracket with a label and one bare word is that word and its tag.
        const isAlone = node === constituents[constituents.length - 1] && node.end === node.start + 1;
        if (isAlone && node.label && place.isBare) {
          constituents.pop();
          tags[node.start] = node.label === "_" ? "" : node.label;
          Object.assign(place, { from: node.from, to: node.close + 1, isBare: false });
        }
      } else {
        places.push({ from: match.index, to: token.lastIndex, isBare: true });
        words.push(match[0]);
        tags.push("");
      }
    }
    return { words, tags, places, constituents, heads: null, checked: false };
  },
  withConstituent(text, start, end, label) {
    const { places, constituents } = brackets.read(text);
    const inside = constituents.filter((node) => start <= node.start && node.end <= end);
    const from = Math.min(places[start].from, ...inside.filter((n) => n.start === start).map((n) => n.from));
    const to = Math.max(places[end - 1].to, ...inside.filter((n) => n.end === end).map((n) => n.close + 1));
    const within = text.slice(from, to);
    const tagged = end - start === 1 && places[start].isBare ? `(_ ${within})` : within; // else the label is its tag
    return `${text.slice(0, from)}(${label} ${tagged})${text.slice(to)}`;
  },
  withoutConstituent(text, index) {
    const { places, constituents } = brackets.read(text), { start, from, inner, close } = constituents[index];
    const before = text.slice(0, from), { isBare, to } = places[start];
    // A bare word at the begin of a bracket without a label is its label.
    const isLabel = isBare && /^[^(]*$/.test(text.slice(inner, to)) && /\([ \t\n\r\f\v]*$/.test(before);
    const within = isLabel ? `(_ ${text.slice(inner, to)})${text.slice(to, close)}` : text.slice(inner, close);
    return joined(before, within, text.slice(close + 1));
  },
  withLabel(text, index, label) {
    const { label: old, at } = brackets.read(text).constituents[index];
    return joined(text.slice(0, at) + label, text.slice(at + old.length));
  },
};

// JSON. Only the elements that change are written anew: other numbers keep their digits.

// The texts of the elements of a list, or of the members of an object, with the white space around them.
const elementsOf = (text) => {
  const found = [], token = /"(?:[^"\\]|\\.)*"|[[\]{},]/g;
  for (let match, depth = 0, begin = 0; (match = token.exec(text)); ) {
    const isOpening = /[[{]/.test(match[0][0]), isClosing = /[\]}]/.test(match[0][0]);
    if (isClosing) depth -= 1;
    if (depth === (isClosing ? 0 : 1) && (isClosing || match[0] === ",")) found.push(text.slice(begin, match.index));
    if (isOpening) depth += 1;
    if ((isOpening && depth === 1) || (match[0] === "," && depth === 1)) begin = token.lastIndex;
  }
  return found.length === 1 && !found[0].trim() ? [] : found;
};
const listOf = (elements) => `[${elements.map((element) => element.trim()).join(", ")}]`;
const nameOf = (member) => JSON.parse(/^\s*("(?:[^"\\]|\\.)*")/.exec(member)[1]);
const valueOf = (member) => member.replace(/^\s*"(?:[^"\\]|\\.)*"\s*:\s*/, "");

// The object with another value of a member, or without it where the value is undefined.
const withMember = (text, name, value) => {
  const members = elementsOf(text), at = members.findIndex((member) => nameOf(member) === name);
  const head = at < 0 ? ` ${JSON.stringify(name)}: ` : members[at].slice(0, -valueOf(members[at]).length);
  members.splice(at < 0 ? members.length : at, at < 0 ? 0 : 1, ...(value === undefined ? [] : [head + value]));
  return `${text.slice(0, text.indexOf("{") + 1)}${members.join(",")}${text.slice(text.lastIndexOf("}"))}`;
};
// The object with a list changed by `change`; where there is no list, `otherwise` is changed, if it is given.
const withList = (text, name, change, otherwise) => {
  const member = elementsOf(text).find((other) => nameOf(other) === name);
  const isList = member && valueOf(member).startsWith("[");
  if (!isList && !otherwise) return text;
  const elements = isList ? elementsOf(valueOf(member)) : otherwise;
  change(elements);
  return withMember(text, name, listOf(elements));
};
const quoted = (list) => list.map((element) => JSON.stringify(element));
const SPAN_LISTS = ["constituents", "labels", "span_probabilities"];

const json = {
  read(text) {
    const value = JSON.parse(text), { tokens: words, heads } = value;
    const labels = value.labels || [], spans = value.constituents;
    const nodeOf = ([start, end], index) => ({ start, end, index, label: labels[index] || names.label });
    return {
      words,
      tags: value.tags || words.map(() => ""),
      heads: heads || null,
      relations: value.relations || (heads && heads.map((head) => relationOf(head, ""))),
      probabilities: value.head_probabilities || words.map(() => null),
      constituents: spans && spans.map(nodeOf).sort((a, b) => a.start - b.start || b.end - a.end),
      checked: value.checked === true,
    };
  },
  withHead(text, word, head, relation) {
    const { relations } = json.read(text);
    const put = (value) => (elements) => elements.splice(word - 1, 1, value);
    const certain = withList(withList(text, "head_probabilities", put("null")), "uncertain", put("false"));
    const changed = withList(certain, "heads", put(String(head)));
    const isSaid = Boolean(JSON.parse(text).relations) || relation !== relationOf(head, "");
    return isSaid ? withList(changed, "relations", put(JSON.stringify(relation)), quoted(relations)) : changed;
  },
  withMark: (text, checked) => withMember(text, "checked", checked ? "true" : undefined),
  withConstituent(text, start, end, label) {
    const { constituents } = json.read(text), count = constituents.length;
    const values = [`[${start}, ${end}]`, JSON.stringify(label), "null"];
    const others = label === names.label ? undefined : Array(count).fill(JSON.stringify(names.label));
    const add = (at) => (elements) => elements.push(values[at]);
    return SPAN_LISTS.reduce((whole, name, at) => withList(whole, name, add(at), at === 1 && others), text);
  },
  withoutConstituent(text, index) {
    const at = json.read(text).constituents[index].index;
    return SPAN_LISTS.reduce((list, name) => withList(list, name, (elements) => elements.splice(at, 1)), text);
  },
  withLabel(text, index, label) {
    const { constituents } = json.read(text), at = constituents[index].index;
    const change = (elements) => elements.splice(at, 1, JSON.stringify(label));
    return withList(text, "labels", change, Array(constituents.length).fill(JSON.stringify(names.label)));
  },
};

// Trees

const { read, withHead, withMark, withConstituent, withoutConstituent, withLabel } = { conllu, brackets, json }[format];
const views = texts.map(() => null);
const viewOf = (piece) => {
  if (!views[piece] || views[piece].text !== texts[piece]) {
    views[piece] = { text: texts[piece], ...read(texts[piece]) };
  }
  return views[piece];
};

// The relation of a new head, where none is typed: that of the root is always `root`, and of other words never.
function relationOf(head, before) {
  if (head === null) return "_";
  if (head === 0) return names.root;
  return before && before !== names.root ? before : names.other;
}

// What makes heads no tree, with the words that it is about; null where a tree can have them.
const faultOf = ({ heads }) => {
  if (!heads) return null;
  const words = heads.map((_, at) => at + 1), list = (some) => some.join(", ");
  const strange = words.filter((word) => heads[word - 1] !== null && !(heads[word - 1] <= heads.length));
  if (strange.length) return { words: strange, text: `no words are the heads of ${list(strange)}` };
  const roots = words.filter((word) => heads[word - 1] === 0);
  if (roots.length > 1) return { words: roots, text: `a tree has one root, not ${list(roots)}` };
  const state = new Map(); // the word at which a path began on which a word lies
  for (const begin of words) {
    let word = begin;
    while (word && !state.has(word)) {
      state.set(word, begin);
      word = heads[word - 1];
    }
    if (!word || state.get(word) !== begin) continue;
    const cycle = [word];
    for (let next = heads[word - 1]; next !== word; next = heads[next - 1]) cycle.push(next);
    cycle.sort((a, b) => a - b);
    return { words: cycle, text: `the heads of ${list(cycle)} are a cycle` };
  }
  return null;
};

// Pictures

const SIZE = 14, ROW = 20, LEVEL = 26, BRANCH = 34, GAP = 18, MARGIN = 10, PORT = 5; // pixels
const ruler = document.createElement("canvas").getContext("2d");
ruler.font = `${SIZE}px monospace`;
const known = new Map();
const widthOf = (text) => {
  if (!known.has(text)) known.set(text, ruler.measureText(text).width);
  return known.get(text);
};
const make = (name, attributes, ...children) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const attribute of Object.keys(attributes)) element.setAttribute(attribute, attributes[attribute]);
  element.append(...children);
  return element;
};
const written = (x, y, text, kind) => make("text", { x, y, class: kind }, text);
const svgOf = (kind, width, height, name, parts) =>
  make("svg", { width, height, role: "group", "aria-label": name, "data-kind": kind }, ...parts);

// The columns of words, from the left or the right: where each begins, and the middle of some of them.
const columnsOf = (widths, fromRight) => {
  const edges = [MARGIN];
  for (const width of widths) edges.push(edges[edges.length - 1] + width);
  const end = edges[edges.length - 1] + MARGIN;
  const middle = (start, last) => (edges[start] + edges[last]) / 2;
  return { width: end, middle: (start, last) => (fromRight ? end - middle(start, last) : middle(start, last)) };
};

// Whether the first letter is of a script from right to left; as in `synparse.drawing.direction`.
const RIGHT = /^\P{L}*(?=\p{L})[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const isFromRight = (text, fromRight) => RIGHT.test(text) || (fromRight && !/\p{L}/u.test(text));

// A word that can be focused, over everything that is written of it.
const wordOf = (word, name, columns, column, top, lines, fromRight) => {
  const x = columns.middle(column, column + 1), width = Math.max(...lines.map(([text]) => widthOf(text))) + 8;
  const box = make("rect", { x: x - width / 2, y: top, width, height: ROW * lines.length + 4, rx: 4 });
  const texts = lines.map(([text, kind], at) => {
    const element = written(x, top + 2 + ROW * (at + 0.5), text, kind);
    if (isFromRight(text, fromRight)) element.setAttribute("direction", "rtl");
    return element;
  });
  const about = { class: "box", role: "button", tabindex: -1, "data-word": word, "aria-label": name };
  return make("g", about, box, ...texts);
};

// Short arcs are put down first, as in `synparse.drawing.layout.arcs_of`.
const levelsOf = (heads) => {
  const levels = heads.map(() => 0), heights = heads.map(() => 0);
  const arcs = heads.map((head, at) => [Math.abs(head - at - 1), Math.min(head, at + 1) - 1, at, head]);
  for (const [length, left, at, head] of arcs.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2])) {
    if (!head || head > heads.length) continue;
    levels[at] = 1 + Math.max(0, ...heights.slice(left, left + length));
    heights.fill(levels[at], left, left + length);
  }
  const top = 1 + Math.max(0, ...heights);
  return { top, levels: heads.map((head, at) => (head === 0 ? top : levels[at])) };
};

const headOf = (words, head) => (head ? `head ${head} ${words[head - 1]}` : head === 0 ? "the root" : "no head");

const drawHeads = (piece, { words, tags, heads, relations, probabilities, checked }, fromRight) => {
  const { top, levels } = levelsOf(heads), floor = MARGIN + LEVEL * top + 6;
  const fault = faultOf({ heads });
  const hasTags = tags.some(Boolean);
  const lines = words.map((word, at) =>
    [[word, "word"], [relations[at], "note"], [String(at + 1), "note"], ...(hasTags ? [[tags[at], "note"]] : [])]);
  const widths = lines.map((texts) => Math.max(...texts.map(([text]) => widthOf(text))) + GAP);
  const columns = columnsOf([widthOf("root") + GAP, ...widths], fromRight);
  const at = (word) => columns.middle(word, word + 1);
  const arcs = words.map((_, index) => {
    const word = index + 1, head = heads[index], probability = probabilities[index];
    if (head === null || !(head <= words.length)) return "";
    const x = at(word), y = floor - LEVEL * levels[index], port = head ? at(head) + PORT * Math.sign(x - at(head)) : x;
    const path = `M${port} ${head ? floor : y}V${y}H${x}V${floor - 6}`;
    const arc = make("g", { class: "arc" }, make("path", { class: "line", d: path }),
      make("path", { class: "point", d: `M${x - 4} ${floor - 8}h8l-4 8z` }));
    if (fault && fault.words.includes(word)) arc.classList.add("faulty");
    if (probability !== null && !checked) {
      arc.style.setProperty("--doubt", `${Math.min(100, Math.round(200 * (1 - probability)))}%`);
      arc.classList.add(probability < 0.5 ? "uncertain" : "rated");
      arc.prepend(make("title", {}, `probability ${probability}`));
    }
    return arc;
  });
  const root = wordOf(0, "root", columns, 0, floor, [["root", "note"]]);
  root.removeAttribute("tabindex");
  const boxes = words.map((word, index) => {
    const name = `${index + 1} ${word}, ${headOf(words, heads[index])}, ${relations[index]}`;
    return wordOf(index + 1, name, columns, index + 1, floor, lines[index], fromRight);
  });
  return svgOf("heads", columns.width, floor + ROW * (3 + hasTags) + MARGIN, "heads", [...arcs, root, ...boxes]);
};

const drawBrackets = (_, { words, tags, constituents }, fromRight) => {
  const nodes = constituents.map((node) => ({ ...node, level: 1, parent: -1 }));
  const leaves = words.map(() => -1), open = [];
  let next = 0;
  words.forEach((_, word) => {
    while (open.length && nodes[open[open.length - 1]].end <= word) open.pop();
    for (; next < nodes.length && nodes[next].start === word; next += 1) {
      nodes[next].parent = open.length ? open[open.length - 1] : -1;
      open.push(next);
    }
    leaves[word] = open.length ? open[open.length - 1] : -1;
  });
  for (let at = nodes.length - 1; at > 0; at -= 1) {
    const parent = nodes[nodes[at].parent];
    if (parent) parent.level = Math.max(parent.level, nodes[at].level + 1);
  }
  const lines = words.map((word, at) => [[tags[at], "note"], [word, "word"], [String(at + 1), "note"]]);
  const widths = lines.map((texts) => Math.max(...texts.map(([text]) => widthOf(text))) + GAP);
  for (const { label, start, end } of [...nodes].reverse()) {
    const room = widths.slice(start, end).reduce((sum, width) => sum + width, 0);
    widths[end - 1] += Math.max(0, widthOf(label) + GAP - room);
  }
  const columns = columnsOf(widths, fromRight);
  const top = Math.max(0, ...nodes.map((node) => node.level)), floor = MARGIN + BRANCH * top;
  const x = ({ start, end }) => columns.middle(start, end), y = (level) => MARGIN + ROW / 2 + BRANCH * (top - level);
  const branch = (parent, middle, bottom) => {
    const above = nodes[parent];
    if (!above) return "";
    const path = `M${x(above)} ${y(above.level) + 10}L${middle} ${y(above.level - 1) - 10}V${bottom}`;
    return make("path", { class: "line", d: path });
  };
  const branches = [
    ...nodes.map((node) => branch(node.parent, x(node), y(node.level) - 10)),
    ...words.map((_, at) => branch(leaves[at], columns.middle(at, at + 1), floor + (tags[at] ? 0 : ROW))),
  ];
  const labels = nodes.map((node, index) => {
    const width = widthOf(node.label || "·") + 8, name = `${node.label}, words ${node.start + 1} to ${node.end}`;
    const box = make("rect", { x: x(node) - width / 2, y: y(node.level) - 10, width, height: ROW, rx: 4 });
    const text = written(x(node), y(node.level), node.label || "·", "label");
    return make("g", { class: "box", role: "button", "data-node": index, "aria-label": name }, box, text);
  });
  const boxes = words.map((word, at) => wordOf(at + 1, `${at + 1} ${word}`, columns, at, floor, lines[at], fromRight));
  return svgOf("brackets", columns.width, floor + ROW * 3 + MARGIN, "constituents", [...branches, ...labels, ...boxes]);
};

// The page. `here` is the word that has the focus or had it last, and, of brackets, the other end of what is selected.

const say = (text) => { document.getElementById("status").textContent = text; };
const sections = Array.from(document.querySelectorAll("section[data-piece]"));
const order = sections.map((section) => Number(section.dataset.piece));
const sectionOf = (piece) => sections[order.indexOf(piece)];
let here = { piece: order[0], kind: null, word: 1, anchor: 1, node: null }, typed = "", linked = 0;
let unsaved = false;
const done = [], undone = [];

const draw = (piece) => {
  const section = sectionOf(piece), view = viewOf(piece), fault = faultOf(view);
  const pictures = [view.heads && drawHeads, view.constituents && drawBrackets].filter(Boolean);
  const figures = pictures.map((drawing) => {
    const figure = document.createElement("figure");
    figure.className = "picture";
    figure.append(drawing(piece, view, pieces[piece].fromRight));
    return figure;
  });
  const scrolled = Array.from(section.querySelectorAll("figure")).map((figure) => figure.scrollLeft);
  section.querySelector(".sides").replaceChildren(...figures);
  figures.forEach((figure, at) => {
    figure.querySelector("[data-word='1']").setAttribute("tabindex", 0);
    figure.scrollLeft = at in scrolled ? scrolled[at] : pieces[piece].fromRight ? figure.scrollWidth : 0;
  });
  section.classList.add("drawn");
  section.querySelector(".fault").textContent = fault ? `not a tree: ${fault.text}` : "";
  const box = section.querySelector("input");
  if (box) box.checked = view.checked;
};

const show = () => {
  document.querySelectorAll(".box.selected, .box.chosen").forEach((box) => box.classList.remove("selected", "chosen"));
  const svg = sectionOf(here.piece).querySelector(`[data-kind="${here.kind}"]`);
  if (!svg) return;
  const [first, last] = [Math.min(here.word, here.anchor), Math.max(here.word, here.anchor)];
  for (const box of svg.querySelectorAll("[data-word]")) {
    const word = Number(box.dataset.word);
    box.classList.toggle("selected", word === linked || (first < last && first <= word && word <= last));
  }
  if (here.node !== null) svg.querySelector(`[data-node="${here.node}"]`).classList.add("chosen");
};

const focus = (piece, kind, word, anchor = word, node = null) => {
  const section = sectionOf(piece);
  if (!section.classList.contains("drawn")) draw(piece);
  const svg = section.querySelector(`[data-kind="${kind}"]`) || section.querySelector("svg");
  if (here.piece !== piece) linked = 0;
  here = { piece, kind: svg.dataset.kind, word, anchor, node };
  typed = "";
  for (const box of svg.querySelectorAll("[tabindex='0']")) box.setAttribute("tabindex", -1);
  const box = svg.querySelector(`[data-word="${word}"]`);
  box.setAttribute("tabindex", 0);
  box.focus();
  show();
};

const count = () => {
  const checked = order.filter((piece) => viewOf(piece).checked).length;
  const text = format === "brackets" ? "" : `${checked} of ${order.length} checked`;
  document.getElementById("progress").textContent = text + (unsaved ? `${text && ", "}not saved` : "");
};

// Work is kept for the next time that this page is opened, where the browser allows it.
const keep = () => {
  const changed = texts.map((text, piece) => [piece, text]).filter(([piece, text]) => text !== pieces[piece].text);
  try {
    localStorage.setItem(key, JSON.stringify({ changed, unsaved }));
  } catch (error) { /* the work is in the page, and saved as a file */ }
};
const put = (piece, text) => {
  texts[piece] = text;
  unsaved = true;
  draw(piece);
  count();
  keep();
};
const edit = (piece, text) => {
  if (text === texts[piece]) return;
  done.push([piece, texts[piece]]);
  undone.length = 0;
  put(piece, text);
};
const restore = (from, to, word) => {
  if (!from.length) return say(`nothing to ${word}`);
  const [piece, text] = from.pop();
  to.push([piece, texts[piece]]);
  put(piece, text);
  focus(piece, here.kind, here.piece === piece ? here.word : 1);
  sectionOf(piece).scrollIntoView({ block: "nearest" });
  return say(`${word}: sentence ${pieces[piece].number}`);
};
const undo = () => restore(done, undone, "undo"), redo = () => restore(undone, done, "redo");

const mark = (piece) => {
  if (format === "brackets") return say("brackets have no place for a mark");
  const isOnWord = document.activeElement.hasAttribute("data-word");
  edit(piece, withMark(texts[piece], !viewOf(piece).checked));
  if (isOnWord) focus(piece, here.kind, here.word, here.anchor, here.node);
  return say(viewOf(piece).checked ? "checked" : "not checked");
};
const setHead = (piece, word, head, relation) => {
  const { words, heads, relations } = viewOf(piece);
  if (head !== null && head > words.length) return say(`the sentence has ${words.length} words`);
  const isSame = head === heads[word - 1];
  const before = relations[word - 1];
  edit(piece, withHead(texts[piece], word, head, relation || (isSame ? before : relationOf(head, before))));
  linked = 0;
  focus(piece, "heads", word);
  const fault = faultOf(viewOf(piece));
  return say(fault ? `not a tree: ${fault.text}` : `${word} ${words[word - 1]}: ${headOf(words, head)}`);
};

// Takes away the constituent over these words, if there is one, else adds it; or gives it a label, if one is typed.
const toggle = (piece, one, other, label, node = null) => {
  const { constituents } = viewOf(piece), start = Math.min(one, other) - 1, end = Math.max(one, other);
  const same = constituents.filter((span) => span.start === start && span.end === end).pop();
  const at = node === null ? constituents.indexOf(same) : node;
  const cross = (a, b, c, d) => (a < c && c < b && b < d) || (c < a && a < d && d < b);
  const crossed = constituents.find((span) => cross(span.start, span.end, start, end));
  const name = (span) => `${span.label}, words ${span.start + 1} to ${span.end}`;
  let what = "";
  if (crossed) return say(`this would cross ${name(crossed)}: take that away first`);
  if (at >= 0 && label) {
    edit(piece, withLabel(texts[piece], at, label));
    what = `label ${label}`;
  } else if (at === 0) {
    return say("the whole sentence stays a constituent; type : and a label to rename it");
  } else if (at > 0) {
    what = `taken away: ${name(constituents[at])}`;
    edit(piece, withoutConstituent(texts[piece], at));
  } else {
    edit(piece, withConstituent(texts[piece], start, end, label || names.label));
    what = `added: words ${start + 1} to ${end}`;
  }
  focus(piece, "brackets", other);
  return say(what);
};

const save = () => {
  const faulty = order.filter((piece) => faultOf(viewOf(piece))).map((piece) => pieces[piece].number);
  if (faulty.length && !confirm(`Not trees: sentences ${faulty.join(", ")}. Save nevertheless?`)) return;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(texts, { type: "text/plain" }));
  link.download = file;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000); // a browser may ask first where to save
  unsaved = false;
  count();
  keep();
  say(`saved as ${file}`);
};

const go = (step) => {
  const at = order.indexOf(here.piece) + step;
  if (!(at in order)) return say(step > 0 ? "this is the last sentence" : "this is the first sentence");
  focus(order[at], here.kind, 1);
  sections[at].scrollIntoView({ block: "start" });
  return say(`sentence ${pieces[order[at]].number}`);
};

// The keyboard

const COMMANDS = { u: undo, y: redo, s: save, n: () => go(1), p: () => go(-1), c: () => mark(here.piece) };
const WITH_CONTROL = { z: undo, y: redo, s: save, Z: redo };

const enter = () => {
  const { piece, kind, word, anchor, node } = here;
  const [, number, label] = /^([0-9]*|_)(?::(.*))?$/.exec(typed) || [];
  if (number === undefined) return say("type the number of a head, a colon and a relation, or both: 3:nsubj");
  typed = "";
  if (kind === "brackets") return toggle(piece, anchor, word, label, node);
  if (!number && !label) return say("type the number of the head, then Enter");
  const head = number === "_" ? null : number ? Number(number) : viewOf(piece).heads[word - 1];
  return setHead(piece, word, head, label);
};
const move = (to, isSelecting) => {
  const word = Math.max(1, Math.min(viewOf(here.piece).words.length, to));
  focus(here.piece, here.kind, word, isSelecting && here.kind === "brackets" ? here.anchor : word);
};
const KEYS = {
  Enter: enter,
  Escape: () => {
    linked = 0;
    focus(here.piece, here.kind, here.word);
    say("");
  },
  Backspace: () => write(typed.slice(0, -1)),
  Home: (shift) => move(1, shift),
  End: (shift) => move(Infinity, shift),
  ArrowLeft: (shift) => move(here.word + (pieces[here.piece].fromRight ? 1 : -1), shift),
  ArrowRight: (shift) => move(here.word + (pieces[here.piece].fromRight ? -1 : 1), shift),
};
const write = (text) => {
  typed = text;
  say(typed ? `${here.word} ${viewOf(here.piece).words[here.word - 1]} ← ${typed}` : "");
};
// White space and parentheses end a label in some format.
const isTyped = (letter) =>
  (typed.includes(":") ? /^[^\s()]$/u : here.kind === "heads" ? /^[0-9_:]$/ : /^:$/).test(letter);

document.addEventListener("keydown", (event) => {
  const command = event.ctrlKey || event.metaKey ? WITH_CONTROL[event.key] : null;
  const isOnWord = document.activeElement.hasAttribute("data-word");
  let action = command;
  if (event.altKey || ((event.ctrlKey || event.metaKey) && !command)) return;
  if (!action && isOnWord) {
    if (isTyped(event.key)) action = () => write(typed + event.key);
    else if (event.key in KEYS) action = () => KEYS[event.key](event.shiftKey);
    else if (event.key === "r" && here.kind === "heads") action = () => setHead(here.piece, here.word, 0);
  }
  action = action || COMMANDS[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});

// The mouse, and fingers: from a word to its head, or from the first to the last word of a constituent, by two clicks
// or by dragging.

let pressed = null, line = null;
const partAt = (event) => {
  const under = document.elementFromPoint(event.clientX, event.clientY);
  return under && under.closest("[data-word], [data-node]");
};
const pieceOf = (part) => Number(part.closest("section").dataset.piece);

const clicked = (part) => {
  const piece = pieceOf(part), kind = part.closest("svg").dataset.kind, word = Number(part.dataset.word);
  const isHere = piece === here.piece && kind === here.kind;
  if (part.dataset.node) {
    const node = Number(part.dataset.node), { start, end, label } = viewOf(piece).constituents[node];
    if (isHere && here.node === node) return toggle(piece, start + 1, end, "", node);
    linked = 0;
    focus(piece, kind, end, start + 1, node);
    return say(`${label}: click again or Enter to take it away, type : and a label to rename it`);
  }
  if (isHere && linked) {
    const first = linked;
    linked = 0;
    if (kind === "brackets") return toggle(piece, first, word, "");
    return first === word ? focus(piece, kind, word) : setHead(piece, first, word);
  }
  if (!word) return say("click a word first, then its head");
  focus(piece, kind, word);
  linked = word;
  show();
  return say(kind === "heads" ? "now click its head" : "now click the last word of the constituent");
};

document.addEventListener("pointerdown", (event) => {
  pressed = event.button === 0 && event.target.closest ? event.target.closest("[data-word], [data-node]") : null;
  if (pressed) event.preventDefault();
});
document.addEventListener("mousedown", (event) => {
  if (pressed) event.preventDefault(); // `clicked` moves the focus
});
document.addEventListener("pointermove", (event) => {
  if (!pressed || !event.buttons || pressed.dataset.node) return;
  const svg = pressed.closest("svg"), frame = svg.getBoundingClientRect(), box = pressed.getBoundingClientRect();
  if (!line) svg.append((line = make("path", { class: "drag" })));
  const x = (box.left + box.right) / 2 - frame.left, y = box.top - frame.top;
  line.setAttribute("d", `M${x} ${y}L${event.clientX - frame.left} ${event.clientY - frame.top}`);
});
const released = (event) => {
  const from = pressed, to = event.type === "pointerup" ? partAt(event) : null;
  pressed = null;
  if (line) line.remove();
  line = null;
  if (!from || !to) return;
  if (from === to) return clicked(from);
  if (from.closest("svg") !== to.closest("svg") || from.dataset.node || to.dataset.node) return;
  const piece = pieceOf(from), [first, last] = [from, to].map((part) => Number(part.dataset.word));
  linked = 0;
  if (from.closest("svg").dataset.kind === "brackets") toggle(piece, first, last, "");
  else if (first) setHead(piece, first, last);
};
document.addEventListener("pointerup", released);
document.addEventListener("pointercancel", released);
document.addEventListener("focusin", ({ target }) => { // by Tab
  if (!target.closest("section")) return;
  const piece = pieceOf(target), word = Number(target.getAttribute("data-word")), svg = target.closest("svg");
  const isHere = piece === here.piece && (!word || (word === here.word && svg.dataset.kind === here.kind));
  if (word && !isHere) focus(piece, svg.dataset.kind, word);
  else if (!isHere) here = { piece, kind: here.kind, word: 1, anchor: 1, node: null };
});

for (const section of sections) {
  const box = section.querySelector("input");
  if (box) box.addEventListener("change", () => mark(Number(section.dataset.piece)));
}
for (const button of document.querySelectorAll("button[data-key]")) {
  button.addEventListener("click", () => COMMANDS[button.dataset.key]());
}
window.addEventListener("beforeunload", (event) => {
  if (unsaved) event.preventDefault();
});

try {
  const kept = JSON.parse(localStorage.getItem(key) || "null");
  if (kept && kept.changed.length) {
    for (const [piece, text] of kept.changed) {
      done.push([piece, texts[piece]]);
      texts[piece] = text;
    }
    unsaved = kept.unsaved;
    say(`sentences changed last time: ${kept.changed.length}; undo takes them back`);
  }
} catch (error) { /* no storage, or not ours */ }

// Only what is near the window is drawn.
const observer = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    observer.unobserve(target);
    if (!target.classList.contains("drawn")) draw(Number(target.dataset.piece));
  }
}, { rootMargin: "100%" });
for (const section of sections) observer.observe(section);
count();
