// Keeps a page up to date: follows its stream, and replaces the parts that changed.

const QUIET = 40000; // ms without a word from the server, which speaks at least every 15 s
const AGAIN_AFTER = 2000; // ms before a stream is opened anew that the browser has given up

// ---- markup into elements, without innerHTML: the parts hold plain elements, quoted attributes, escaped text

const TOKEN = /<(\/?)([a-zA-Z][\w-]*)((?:"[^"]*"|[^">])*)>|([^<]+)/g;
const ATTRIBUTE = /([\w:-]+)(?:="([^"]*)")?/g;
const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"', "#34": '"', "#39": "'", "#x27": "'" };
const VOID = /^(input|br)$/;

function text(escaped) {
  return escaped.replace(/&([#\w]+);/g, (whole, name) => (name in ENTITIES ? ENTITIES[name] : whole));
}

// What matchAll returns, which browsers of 2019 do not have.
function* matches(pattern, string) {
  pattern.lastIndex = 0;
  for (let found = pattern.exec(string); found; found = pattern.exec(string)) yield found;
}

export function built(markup) {
  const top = document.createDocumentFragment();
  const open = [top];
  for (const [, closes, tag, attributes, words] of matches(TOKEN, markup)) {
    const parent = open[open.length - 1];
    if (words !== undefined) {
      parent.append(text(words));
    } else if (closes) {
      open.pop();
    } else {
      const drawn = tag === "svg" || (parent.namespaceURI || "").endsWith("svg");
      const element = drawn ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
      for (const [, name, value = ""] of matches(ATTRIBUTE, attributes)) element.setAttribute(name, text(value));
      parent.append(element);
      if (!VOID.test(tag) && !attributes.endsWith("/")) open.push(element);
    }
  }
  return top;
}

// The markup that a part's element was made from: what people do to the element is not in it.
const madeFrom = new WeakMap();

// What has the focus, as a selector: a choice, or a field in which one answer after the other is typed.
function focused() {
  const here = document.activeElement;
  if (!here) return "";
  if (here.dataset.choice) return `[data-choice="${CSS.escape(here.dataset.choice)}"]`;
  const form = here.closest("form.writing, form.number, form.sheet");
  if (!form) return "";
  return here.name ? `form.${form.classList[0]} [name="${here.name}"]` : `form.${form.classList[0]} input`;
}

// Change a part around the field that has the focus, which stays what it is: a phone would close its keyboard. Return
// whether that was possible. Nothing else stays: a button that takes another's place has words of its own.
function changedAround(old, part, selector) {
  const field = document.activeElement;
  const twin = part.querySelector(selector);
  if (!field.matches("input, textarea") || !old.contains(field) || !twin || field === old) return false;
  const paths = [[field, old], [twin, part]].map(([from, top]) => {
    const path = [];
    for (let each = from; each !== top; each = each.parentElement) path.push(each);
    return path;
  });
  const [here, there] = paths;
  if (here.length !== there.length || here.some((each, place) => each.tagName !== there[place].tagName)) return false;
  here.forEach((each, place) => {
    const other = there[place];
    const [ahead, behind] = [[], []];
    let list = ahead;
    for (const sibling of [...other.parentElement.childNodes]) {
      if (sibling === other) list = behind;
      else list.push(sibling);
    }
    for (const sibling of [...each.parentElement.childNodes]) if (sibling !== each) sibling.remove();
    each.before(...ahead);
    each.after(...behind);
    alike(each, other);
  });
  alike(old, part);
  return true;
}

function alike(element, other) {
  for (const { name } of [...element.attributes]) if (!other.hasAttribute(name)) element.removeAttribute(name);
  for (const { name, value } of other.attributes) if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

function replace(parts) {
  const before = focused();
  for (const [name, markup] of Object.entries(parts)) {
    const old = document.getElementById(name);
    if (!old || madeFrom.get(old) === markup) continue;
    const made = built(markup);
    const part = made.firstElementChild;
    if (old.isEqualNode(part) || (before && changedAround(old, part, before))) {
      madeFrom.set(old, markup);
    } else {
      old.replaceWith(made);
      madeFrom.set(part, markup);
      // a part may hold others: it is no longer what it was made from
      for (let above = part.parentElement; above; above = above.parentElement) madeFrom.delete(above);
    }
  }
  const again = before && !focused() && document.querySelector(before);
  if (again) again.focus();
}

// A phone that is not paired any more is led to the page that pairs it.
function leaveIfUnpaired(reply) {
  if (reply.status === 401) location.assign("/join");
}

// The page follows: the sentence that it cannot, and reload.js with it, are not needed.
function follows() {
  const cannot = document.getElementById("cannot-follow");
  if (cannot) cannot.remove();
}

// Follow a stream: `show` is called with each message once its parts are there, `lose` with whether the stream is lost,
// `before` just before the parts are replaced, `speak` with the words that a page without parts shows.
export function follow(path, show, lose, { before = () => {}, speak = () => {} } = {}) {
  let source = null;
  let silence = 0;

  function alive() {
    clearTimeout(silence);
    silence = setTimeout(() => { lose(true); listen(); }, QUIET);
    lose(false);
  }

  function hush() {
    clearTimeout(silence);
    if (source) source.close();
    source = null;
  }

  function listen() {
    hush();
    const own = new EventSource(path);
    source = own;
    own.addEventListener("open", alive);
    own.addEventListener("alive", alive);
    own.addEventListener("words", (event) => speak(JSON.parse(event.data)));
    own.addEventListener("message", (event) => {
      const news = JSON.parse(event.data);
      alive();
      before();
      replace(news.parts || {});
      show(news);
      follows();
    });
    own.addEventListener("error", () => {
      lose(true);
      clearTimeout(silence);
      // the browser tries again by itself unless it was told something that is no stream
      const refused = own.readyState === EventSource.CLOSED;
      silence = setTimeout(listen, refused ? AGAIN_AFTER : QUIET);
      if (refused) fetch(path, { method: "HEAD" }).then(leaveIfUnpaired, () => {});
    });
  }

  // a page nobody looks at does not listen, and is up to date at once when somebody does
  document.addEventListener("visibilitychange", () => (document.hidden ? hush() : listen()));
  // another network, or none: the old stream may be silent for long, a new one is not
  for (const change of ["online", "offline"]) window.addEventListener(change, () => { if (!document.hidden) listen(); });
  window.addEventListener("pageshow", (event) => { if (event.persisted) listen(); });
  listen();
}
