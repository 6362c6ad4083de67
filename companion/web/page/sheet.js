// The score sheet. Figures are typed in its fields in any order; each is sent once the box can take it, one after the
// other. A figure that was entered before is tapped to be corrected where it stands. Who types on a keyboard never needs
// the mouse: the focus goes from field to field, to the answer that all are right, and on to the next round.

import { NEW_FOR } from "/steady.js";

const WHOLE = /^-?\d+$/;

const body = document.body;
const said = document.querySelector("#status").dataset;

// What was typed and is not given yet, by round and by field: its text, what was given before, whether it is done and
// waits to be sent, and the sentence on it.
const rounds = new Map();
let shown = ""; // the round whose fields were shown last
const stood = new Map(); // what was given in each of its fields when they were shown last
// The fields with a figure that somebody else has given meanwhile: who, and how often Enter is pressed to replace it.
const contested = new Map();
let late = null; // the timer while keys are meant for the field that somebody else has just filled
let lateKeys = { told: "", text: "" }; // the sentence on that figure, and what was typed since
let sent = null; // the figure that is under way
let ahead = null; // figures that are typed before their field is there: what finds it, and whether the box has answered
let going = false; // whether figures are being typed here one after the other
let unfinished = ""; // the field in which a figure was being typed when the page changed
let surplus = ""; // a figure that is typed where none is blank: while the last ones are under way, or are asked about
let called = ""; // the words of the answer to the question that was shown last
let keyboard = !matchMedia("(pointer: coarse)").matches; // whether there is one that does not come and go on the screen
let give = null; // sends a choice, and tells what became of it
let warn = null; // says a sentence for the whole page
let fitted = null; // is called once the figures have found their room

const form = () => document.querySelector("form.filling");
const fields = () => [...document.querySelectorAll("form.filling input")].sort((one, other) => one.dataset.order - other.dataset.order);
const seatOf = (field) => String(field.name.split(" ")[1] - 1);
const roundOf = (there) => `${there.dataset.game} ${there.dataset.round}`;
const figures = () => rounds.get(shown) || new Map();
const blank = () => fields().find((field) => !field.disabled && field.value === "" && !field.validity.badInput);
const whole = () => Boolean(form()) && !form().querySelector(".asked"); // all figures are given: are they right?
const answer = () => document.querySelector("#ask [data-choice='skip']"); // that they are; before that, that the rest is 0
const standing = () => [...form().querySelectorAll("tr.typed td")].map(figureIn); // the figures of the round, as they stand
const same = (one, other) => one !== "" && other !== "" && Number(one) === Number(other);
const taken = (field) => field.classList.contains("asked") || field.defaultValue !== ""; // the box takes its figure now
const filled = (sentence, values) => sentence.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? values[name] : whole));
const entered = (field, who) => filled(said.entered, { who, choice: field.defaultValue.replace("-", "−"), field: field.getAttribute("aria-label") });
const unsent = (text) => filled(said.unsent, { choice: text });

// Return the figure in a cell: in its field, or one that follows from others and has none.
function figureIn(cell) {
  const field = cell.querySelector("input");
  return (field ? field.value : cell.textContent.trim()).replace("−", "-");
}

// Return whether somebody may type in a field on this phone: a person's phone in that person's.
function open(field) {
  if (body.classList.contains("role-spectator")) return false;
  return !body.classList.contains("role-seat") || seatOf(field) === body.dataset.seat;
}

// Forget what was typed for rounds that are over, and return its texts. Beside a correction the running round goes on.
function forget(there) {
  const lost = [];
  for (const [round, typed] of rounds) {
    const [game, number] = round.split(" ");
    const later = game === there.dataset.game && Number(number) > Number(there.dataset.round);
    if (round === roundOf(there) || (there.dataset.corrects && later)) continue;
    rounds.delete(round);
    for (const mine of typed.values()) if (mine.text && !(sent && sent.mine === mine)) lost.push(mine.text);
  }
  return lost;
}

// Forget what was typed in fields that are there no more, since their figures follow from others now, and return the
// texts that are others than these. Enter after one that was still being typed is its own.
function forgetFilled() {
  const lost = [];
  const typed = figures();
  const rows = form().querySelectorAll("tr.typed");
  for (const [name, mine] of typed) {
    const [, seat, row] = name.split(" ");
    const cell = rows[row - 1] && rows[row - 1].cells[seat];
    const figure = cell && !cell.querySelector("input") ? figureIn(cell) : "";
    if (figure === "" || (sent && sent.mine === mine)) continue;
    typed.delete(name);
    if (!same(mine.text, figure)) lost.push(mine.text);
    if (name === unfinished) surplus = mine.text;
  }
  return lost.filter(Boolean);
}

// Bring the fields and what was typed in them together, after each message; `chose` is whether it shows what an answer
// of this page has led to that was no figure.
function meet(chose) {
  const there = form();
  const turned = !there || shown !== roundOf(there);
  if (turned) {
    surplus = "";
    stood.clear();
    contested.clear();
  }
  if (!there) return;
  const lost = forget(there);
  const held = document.activeElement;
  shown = roundOf(there);
  if (!rounds.has(shown)) rounds.set(shown, new Map());
  const typed = figures();
  const notSent = [...lost, ...forgetFilled()];
  const sentences = notSent.length ? [unsent(notSent.join(", "))] : [];
  const { by } = body.dataset;
  let others = null; // the field that somebody else has filled
  for (const field of fields()) {
    const given = field.defaultValue;
    let mine = typed.get(field.name);
    const own = sent && sent.mine.round === shown && sent.name === field.name && same(sent.text, given);
    const was = stood.get(field.name);
    const theirs = was !== undefined && was !== given && given !== "" && !own && !chose;
    stood.set(field.name, given);
    if (theirs && was === "" && (field === held || !others)) others = field;
    if (!theirs && was !== given) contested.delete(field.name);
    field.readOnly = false;
    field.disabled = !open(field);
    if (mine && mine.before !== given) {
      mine.before = given;
      if (same(mine.text, given)) mine = null;
      else if (!own && given !== "" && field === held) {
        Object.assign(mine, { done: false, told: "" });
        contested.set(field.name, { by, enters: 2 });
      } else if (!own && given !== "") {
        if (mine.text) sentences.push(entered(field, by), unsent(mine.text));
        mine = null;
      }
      if (!mine) typed.delete(field.name);
    } else if (theirs && was !== "" && field === held) contested.set(field.name, { by, enters: 2 }); // it is corrected here
    const text = mine ? mine.text : given;
    if (field.value !== text || (!mine && field.validity.badInput)) field.value = text;
    if (field !== held || mine) continue;
    if (turned && lost.length) field.blur(); // the next digits were meant for another round
    else field.select(); // they take the place of what is given
  }
  if (others && [others, body, answer()].includes(held) && !typed.has(others.name)) goOn(others, held);
  tell();
  if (sentences.length) warn(`${sentences.join(" ")} ${said.look}`);
}

// Go on from a field that somebody else has filled to the one that is asked for. Keys that come at once were meant for
// the former: they are told, and typed nowhere.
function goOn(field, held) {
  lateKeys = { told: entered(field, body.dataset.by), text: "" };
  restLate();
  if (field !== held) return;
  const asked = form().querySelector("input.asked");
  const to = (asked && !asked.disabled && asked.value === "" && asked) || blank() || (whole() && answer());
  if (to) to.focus();
  else field.blur();
}

function restLate() {
  clearTimeout(late);
  late = setTimeout(() => { late = null; }, NEW_FOR);
}

function tellLate(text) {
  lateKeys.text += text;
  if (document.activeElement === answer()) surplus = lateKeys.text; // Enter after it is its own
  restLate();
  warn(`${lateKeys.told} ${unsent(lateKeys.text)} ${said.look}`);
}

// Show beside the fields why a figure does not count, and which ones wait.
function tell() {
  const there = form();
  const typed = figures();
  const of = (field) => {
    const contest = (typed.has(field.name) || field === document.activeElement) && contested.get(field.name);
    const mine = typed.get(field.name) || { told: "", done: false };
    if (!contest) return mine;
    return { told: `${entered(field, contest.by)} ${contest.enters > 1 ? said.twice : said.once}`, done: mine.done };
  };
  const told = fields().filter((field) => of(field).told);
  const first = told.find((field) => field === document.activeElement) || told[0];
  const sentence = there.querySelector(".refusal");
  const words = first ? of(first).told : "";
  if (sentence.textContent !== words) sentence.textContent = words;
  sentence.hidden = !first;
  for (const field of fields()) {
    if (of(field).told) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
    field.classList.toggle("waits", of(field).done && !taken(field));
  }
  const waits = there.querySelector("input.waits") !== null;
  there.querySelector(".waiting").hidden = !waits;
  if (answer()) answer().hidden = waits; // it would give 0 to those, too
  tellWhoIsAsked(there.querySelector(".elsewhere"));
}

// A player's phone that has nothing to type says why: the own figure follows from the others, or somebody else is asked.
function tellWhoIsAsked(line) {
  if (!line) return;
  const own = fields().filter((field) => seatOf(field) === body.dataset.seat);
  line.hidden = !body.classList.contains("role-seat") || body.dataset.seat === "" || own.some((field) => field.value === "");
  line.firstElementChild.hidden = own.length > 0;
}

// Send what the box can take now: a figure that is asked for, or one in place of another.
function send() {
  if (!form() || sent || body.dataset.sending === body.dataset.number) return;
  const typed = figures();
  const ready = fields().find((field) => typed.has(field.name) && typed.get(field.name).done && taken(field));
  if (!ready) return;
  const { name } = ready;
  const mine = typed.get(name);
  const { text } = mine;
  const { number } = body.dataset;
  let late = false;
  sent = { name, text, mine };
  give({ choice: `${name} ${text}` }, text, (sentence, forAnother) => {
    late = forAnother; // the refusal is not one of the figure, which is sent again on the question that is asked now
    if (!late && typed.get(name) === mine) mine.told = sentence;
  }).then((counts) => {
    sent = null;
    if (late) {
      if (body.dataset.number !== number) send();
      return;
    }
    const there = rounds.get(shown) === typed && fields().find((field) => field.name === name);
    if (counts) {
      if (there) {
        there.defaultValue = text;
        stood.set(name, text);
      }
      if (typed.get(name) === mine) typed.delete(name);
      else if (typed.has(name)) typed.get(name).before = text;
    } else {
      if (typed.get(name) === mine) mine.done = false; // what got no answer waits in its field: the page says so
      if (ahead && ahead.goes) leaveAhead();
    }
    if (!there) {
      if (mine.told) warn(`${mine.told} ${unsent(text)}`);
      return;
    }
    const busy = document.activeElement !== there && typed.has(document.activeElement.name);
    if (mine.told && !busy) {
      going = true;
      there.focus();
      there.select();
    }
    tell();
    send();
    if (ahead && ahead.goes) {
      land();
      lead();
    }
  });
}

// Leave a field that somebody else has filled meanwhile: their figure stays, and what was typed in its place is told.
function yieldField(field) {
  const contest = contested.get(field.name);
  const mine = figures().get(field.name);
  if (!contest || (mine && mine.done)) return;
  contested.delete(field.name);
  figures().delete(field.name);
  field.value = field.defaultValue;
  tell();
  if (mine && mine.text && !same(mine.text, field.defaultValue)) warn(`${entered(field, contest.by)} ${unsent(mine.text)}`);
}

// Take what stands in a field as its figure; return whether it is one. `pressed` is whether Enter was.
function finish(field, pressed) {
  const typed = figures();
  if (field.value === "" && !field.validity.badInput) {
    typed.delete(field.name);
    contested.delete(field.name);
    field.value = field.defaultValue;
    tell();
    return false;
  }
  if (pressed && !typed.has(field.name) && field.classList.contains("asked")) note(field);
  if (!pressed && contested.has(field.name)) {
    yieldField(field);
    return false;
  }
  const mine = typed.get(field.name);
  if (mine && !WHOLE.test(field.value)) {
    Object.assign(mine, { done: false, told: form().dataset.whole });
    tell();
    return false;
  }
  const contest = mine && contested.get(field.name);
  if (contest && pressed) contest.enters -= 1;
  const stays = contest && contest.enters > 0;
  if (mine && !stays) {
    contested.delete(field.name);
    Object.assign(mine, { done: true, told: "" });
  }
  tell();
  send();
  return !stays;
}

// Note what stands in a field as typed.
function note(field) {
  const { before } = figures().get(field.name) || { before: field.defaultValue };
  figures().set(field.name, { text: field.value, before, told: "", done: false, round: shown });
}

function next(field) {
  const all = fields().filter((each) => !each.disabled);
  const later = all.slice(all.indexOf(field) + 1);
  const following = [...later, ...all].find((each) => each.value === "") || (field.classList.contains("asked") && later[0]);
  const to = following || (whole() && answer());
  if (to) to.focus();
  else if (isUnderWay()) {
    ahead = ahead || { goes: true, field: blank, answered: () => !isUnderWay(), finished: [] };
    openKeyboard(); // the next question's fields may come: a phone's keyboard stays open until then
  } else field.blur();
}

// Return whether a figure of the round is on its way to the box, or what it has led to is not shown yet. One that waits
// for others is not.
function isUnderWay() {
  const { sending, number } = body.dataset;
  const typed = figures();
  const goes = (field) => typed.has(field.name) && typed.get(field.name).done && taken(field);
  return Boolean(sent) || sending === number || fields().some(goes);
}

// Prepare for other markup: nothing that is typed is lost.
export function keepFigures() {
  const here = document.activeElement;
  unfinished = fields().includes(here) && figures().has(here.name) && !figures().get(here.name).done ? here.name : "";
  going = going && (fields().includes(here) || Boolean(ahead && ahead.goes) || (keyboard && (here === body || here === answer())));
}

// Show the fields as they are for this phone, with what was typed in them, and send what can be sent now.
export function showFigures(chose = false) {
  const scores = document.querySelector("#scores");
  scores.hidden = !document.querySelector("#sheet").children.length;
  body.classList.toggle("sheeted", document.querySelector("#ask .sheet") !== null); // the sheet is wide then
  meet(chose);
  land();
  lead();
  fit();
  const bar = document.querySelector("#acts .bar");
  const over = getComputedStyle(bar).position === "fixed" ? bar.offsetHeight : 0; // the totals stand above it
  document.documentElement.style.setProperty("--foot", `${over}px`);
  send();
}

// What gives way where figures have no room beside each other, the least first. Without the script the last does.
const STEPS = ["", "bare", "bare small", "bare small tiny", "bare small tight"];

function fit() {
  const sheet = document.querySelector(".sheet");
  if (sheet) fitFigures(sheet);
  fitted();
}

function fitFigures(sheet) {
  const kept = sheet.className.split(" ").filter((name) => !/^(bare|small|tiny|tight)$/.test(name));
  const overflows = (cell) => cell.scrollWidth > cell.clientWidth;
  const top = scrollY;
  for (const step of STEPS) {
    sheet.className = [...kept, ...step.split(" ")].join(" ").trim();
    if (![...sheet.querySelectorAll("tbody td, tfoot td, td input")].some(overflows)) break;
  }
  if (scrollY !== top) scrollTo(scrollX, top); // the page was shorter on the way, and was moved
}

// Lead who types on to the next field, or to the answer that all are right. A button that has become the one for the
// rest has not the focus of the answer that stood there: Enter would give 0 to everybody.
function lead() {
  const words = answer() ? answer().textContent : "";
  if (form() && !whole() && document.activeElement === answer() && words !== called) answer().blur();
  called = words;
  if (!going || document.activeElement !== body) return;
  const next = blank() || (whole() && answer());
  if (next) next.focus();
}

// Go to the field that figures were typed ahead for, once it is there, with all of them.
function land() {
  if (!ahead || (!ahead.field() && !ahead.answered())) return;
  let field = ahead.field();
  const held = document.querySelector("#keyboard");
  if (ahead.goes && document.activeElement !== held && !(held && held.value) && !ahead.finished.length) {
    leaveAhead(); // the keyboard was closed, or another field was tapped
    return;
  }
  const typed = [...ahead.finished, held ? held.value : ""];
  const filledIn = ahead.goes && whole(); // a figure that stands there already is none too many
  leaveAhead();
  if (field) {
    field.focus();
    field.select();
  }
  while (field && typed[0]) {
    field.value = typed.shift();
    note(field);
    going = true;
    if (!typed.length || !finish(field, true)) break; // the last one is still being typed
    next(field);
    field = fields().find((each) => each === document.activeElement);
  }
  if (filledIn) surplus = typed[typed.length - 1]; // Enter after it is its own
  const lost = typed.filter((text) => text && !(filledIn && standing().some((figure) => same(figure, text))));
  if (lost.length) warn(`${unsent(lost.join(", "))} ${said.look}`);
}

function leaveAhead() {
  ahead = null;
  const held = document.querySelector("#keyboard");
  if (held) held.remove();
}

// Follow a key that is pressed in no field: a digit goes to the first field that is blank. While the answer that all
// are right is under way, that is one of the next round. Else the figure is one too many: one that stands there already
// does nothing, any other is told.
function typeElsewhere(event) {
  const here = document.activeElement;
  if (!form() || !/^[-\d]$/.test(event.key) || event.ctrlKey || event.altKey || event.metaKey) return;
  if (here.matches("input, select, textarea") || body.classList.contains("role-spectator")) return;
  keyboard = true;
  if (late) {
    event.preventDefault();
    tellLate(event.key);
    return;
  }
  going = true;
  if (blank()) blank().focus();
  else if (whole() && body.dataset.sending === body.dataset.number) {
    const round = shown;
    ahead = ahead || { field: () => (shown === round ? null : blank()), answered: () => body.dataset.sending !== body.dataset.number, finished: [] };
    openKeyboard();
  } else {
    surplus += event.key;
    if (!whole()) return; // the last ones are under way
    if (answer()) answer().focus();
    if (!standing().some((figure) => figure.startsWith(surplus))) warn(`${unsent(surplus)} ${said.look}`);
  }
}

// Take Enter after a figure that was one too many: it is the figure's, and must not give the answer by the way. Return
// whether it was.
function endSurplus() {
  if (!surplus || ![body, answer()].includes(document.activeElement)) return false;
  if (!standing().some((figure) => same(figure, surplus))) warn(`${unsent(surplus)} ${said.look}`);
  surplus = "";
  return true;
}

// Return the field of a figure of a round that is being corrected.
function corrected(round, seat) {
  const there = form();
  const here = there && there.dataset.corrects && there.dataset.round === round;
  return here && fields().find((each) => !each.disabled && seatOf(each) === seat);
}

// A phone opens its keyboard only while it is tapped, not when the field comes a moment later.
function openKeyboard() {
  const held = document.querySelector("#keyboard"); // it lost the focus, and has what was typed before
  if (held) {
    held.focus({ preventScroll: true });
    return;
  }
  const field = document.createElement("input");
  field.id = "keyboard";
  field.type = "number";
  field.className = "aloud";
  field.setAttribute("aria-hidden", "true");
  field.style.top = `${scrollY + 100}px`; // an old phone scrolls to it
  body.append(field);
  field.focus({ preventScroll: true });
}

// Follow the fields and the figures; `sender` sends a choice, and tells a function the sentence of a refusal, and whether
// it was sent for a question that is asked no more; `teller` says a sentence for the whole page; `fitter` is called once
// figures that have changed have found their room.
export function typeFigures(sender, teller, fitter) {
  give = sender;
  warn = teller;
  fitted = fitter;
  document.addEventListener("input", ({ target }) => {
    if (!fields().includes(target)) return;
    if (late && !figures().has(target.name)) {
      const text = target.value;
      target.value = target.defaultValue;
      tellLate(text);
      return;
    }
    note(target);
    if (target.value === target.defaultValue && !target.validity.badInput) figures().delete(target.name);
    tell();
    going = true;
  });
  document.addEventListener("change", ({ target }) => { if (fields().includes(target)) finish(target, false); });
  document.addEventListener("keydown", (event) => {
    const field = event.target;
    typeElsewhere(event);
    if (event.key !== "Enter") return;
    if (form() && endSurplus()) {
      event.preventDefault();
      return;
    }
    if (ahead && field.id === "keyboard" && field.value) {
      ahead.finished.push(field.value);
      field.value = "";
    }
    if (!fields().includes(field)) return;
    event.preventDefault();
    going = going || field.value !== "";
    if (finish(field, true)) next(field);
    else field.select();
  });
  for (const change of ["load", "resize"]) window.addEventListener(change, fit);
  document.querySelector("#scores").addEventListener("toggle", fit);
  document.addEventListener("submit", (event) => {
    if (!event.target.closest("form.sheet")) return;
    event.preventDefault();
    event.stopPropagation();
  }, true);
  document.addEventListener("focusout", ({ target }) => {
    if (target.isConnected && form() && fields().includes(target)) yieldField(target);
  });
  document.addEventListener("focusin", ({ target }) => {
    if (!fields().includes(target)) return;
    surplus = "";
    if (target.value) target.select();
    if (form()) tell();
  });
  document.addEventListener("click", ({ target }) => {
    if (fields().includes(target)) {
      const contest = contested.get(target.name);
      if (contest) contest.enters = 1; // who taps it has read whose figure stands there
      late = null;
      tell();
    }
    const cell = target.closest(".sheet tr[data-round] td");
    if (!cell || body.classList.contains("role-spectator")) return;
    leaveAhead();
    const { round } = cell.parentElement.dataset;
    const seat = String(cell.cellIndex - 1);
    let answered = false;
    const tap = { field: () => corrected(round, seat), answered: () => answered, finished: [] };
    ahead = tap;
    if (form()) openKeyboard();
    give({ choice: `round ${round} seat ${cell.cellIndex}` }, cell.textContent.trim()).then((counts) => {
      if (counts) answered = true;
      else if (ahead === tap) leaveAhead();
    });
  });
}
