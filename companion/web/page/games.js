// Checks a game at each change: the form is sent, and the page of the answer takes the place of this one.

let changes = 0; // an answer to what has been typed over meanwhile is not shown
let waiting = null; // shows an answer that has come
let pressed = false; // whether a button of the mouse is down
let latest = ""; // what was sent last
let typing = null; // the timer of a worked round in which figures are being typed
const PAUSE = 400; // milliseconds without a key after which it is worked out

// Select a line from a column on.
function select(line, column) {
  const text = document.querySelector("#text");
  const lines = text.value.split("\n");
  const begin = lines.slice(0, line - 1).reduce((length, each) => length + each.length + 1, 0);
  const end = begin + (lines[line - 1] || "").length;
  document.querySelector("#advanced").open = true;
  text.focus({ preventScroll: true });
  text.setSelectionRange(Math.min(begin + column - 1, end), end);
  return text.getBoundingClientRect().top + (text.clientHeight * (line - 1)) / lines.length;
}

// Show the page of an answer; what was open, chosen and scrolled stays.
function show(page) {
  const { id, selectionStart, selectionEnd, type } = document.activeElement;
  const open = document.querySelector("#advanced[open]");
  const main = document.adoptNode(page.querySelector("main"));
  document.querySelector("main").replaceWith(main);
  document.title = page.title;
  if (open) main.querySelector("#advanced").open = true;
  const field = id && document.getElementById(id);
  if (!field) return;
  field.focus({ preventScroll: true });
  if (/text/.test(type)) field.setSelectionRange(selectionStart, selectionEnd);
}

function send(button) {
  const form = document.querySelector("#game");
  const fields = new URLSearchParams(new FormData(form));
  if (button) fields.set(button.name, button.value);
  if (!button && fields.toString() === latest) return; // it was sent while it was typed
  latest = fields.toString();
  changes += 1;
  const now = changes;
  const request = new XMLHttpRequest();
  request.open("POST", form.getAttribute("action"));
  request.responseType = "document"; // a page from a string is not allowed here
  request.setRequestHeader("Content-Type", "application/x-www-form-urlencoded");
  request.setRequestHeader("Accept", "text/html");
  request.addEventListener("load", () => {
    waiting = () => {
      if (now === changes && request.response) answered(request.response, button);
    };
    if (!pressed) settle();
  });
  request.addEventListener("error", () => {
    if (now === changes) failed(form.dataset.failed);
  });
  request.send(fields.toString());
}

// Say why nothing was checked; what was typed stays, and what was found before counts no more.
function failed(sentence) {
  latest = "";
  const told = document.createElement("p");
  told.className = "refusal";
  told.textContent = sentence;
  const found = document.querySelector("#found");
  found.textContent = "";
  found.append(told);
}

function answered(page, button) {
  if (!page.querySelector("#game")) {
    const refusal = page.querySelector(".refusal");
    failed(refusal ? refusal.textContent : document.querySelector("#game").dataset.failed);
    return;
  }
  show(page);
  const text = document.querySelector("#text");
  if (!button || !text) return;
  if (button.value === "text" && text.dataset.line) select(Number(text.dataset.line), Number(text.dataset.column));
  for (const part of ["#wrong", "#found", "#add"]) {
    const shown = button.value !== "check" && document.querySelector(part);
    if (shown) shown.scrollIntoView({ block: "nearest" });
  }
}

function settle() {
  if (waiting) waiting();
  waiting = null;
}

// A click is lost if its button is replaced in the middle of it.
document.addEventListener("mousedown", () => { pressed = true; });
document.addEventListener("mouseup", () => {
  pressed = false;
  setTimeout(settle); // after the click
});

document.addEventListener("change", (event) => {
  clearTimeout(typing);
  if (event.target.form) send();
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("#game button");
  const link = event.target.closest("#wrong a");
  if (button && button.id !== "add") {
    event.preventDefault();
    send(button);
  } else if (link && link.dataset.line) {
    event.preventDefault();
    scrollBy(0, select(Number(link.dataset.line), 1) - innerHeight / 2);
  }
});

// What was checked is no longer what stands there, and each line of the text has its number.
document.addEventListener("input", (event) => {
  changes += 1;
  const choice = event.target.closest("[data-chooses]"); // who fills in the field of a choice, chooses it
  if (choice) document.getElementById(choice.dataset.chooses).checked = true;
  if (event.target.name.startsWith("worked-")) {
    for (const cell of document.querySelectorAll("td.won")) cell.textContent = "–"; // those of before count no more
    const keep = document.querySelector("button[value=keep]");
    if (keep) keep.hidden = true;
    clearTimeout(typing);
    typing = setTimeout(send, PAUSE);
  }
  if (event.target.id !== "text") return;
  const add = document.querySelector("#add");
  if (add) add.hidden = true;
  const count = event.target.value.split("\n").length;
  event.target.rows = count;
  document.querySelector("#numbers").textContent = [...Array(count).keys()].map((line) => `${line + 1}\n`).join("");
});
