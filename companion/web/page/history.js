// The history's pages work without this: it shares an evening's summary, tells the values of a chart where somebody
// touches it, and keeps the light chosen for the table.

import { share } from "/share.js";

try {
  document.documentElement.dataset.light = localStorage.getItem("light") || "auto";
} catch (_failure) {
  // the browser keeps nothing
}

for (const button of document.querySelectorAll(".share button")) {
  button.parentElement.hidden = false;
  button.addEventListener("click", async () => {
    if (await share(button.dataset.text)) button.parentElement.querySelector("[role=status]").textContent = button.dataset.copied;
  });
}

function telling(plot) {
  const drawn = plot.querySelector(".lines");
  const places = plot.dataset.places.split("|");
  const last = places.length - 1;
  const lines = [...drawn.querySelectorAll("[data-name]")].map((line) => [line.dataset.name, line.dataset.values.split("|"), line.parentNode.getAttribute("class")]);
  const mark = document.createElementNS("http://www.w3.org/2000/svg", "path");
  const told = document.createElement("p");
  let place = last;

  function tell(number) {
    place = Math.min(last, Math.max(0, number));
    const values = lines.map(([name, own, person]) => [name, own[place], person]);
    mark.setAttribute("d", `M${(100 * place) / last} 0V100`);
    told.textContent = places[place];
    for (const [name, value, person] of values) {
      const figure = document.createElement("b");
      figure.textContent = value;
      figure.className = person;
      told.append(` · ${name}\u00a0`, figure);
    }
    drawn.setAttribute("aria-valuenow", place);
    drawn.setAttribute("aria-valuetext", `${places[place]}: ${values.map(([name, value]) => `${name} ${value}`).join(", ")}`);
  }

  function follow({ clientX }) {
    const { left, width } = drawn.getBoundingClientRect();
    tell(Math.round((last * (clientX - left)) / width));
  }

  mark.setAttribute("class", "at axis");
  drawn.append(mark);
  told.className = "values";
  told.setAttribute("aria-hidden", "true"); // the slider says the same
  plot.append(told);
  for (const [name, value] of [["role", "slider"], ["tabindex", 0], ["aria-valuemin", 0], ["aria-valuemax", last]]) drawn.setAttribute(name, value);
  drawn.addEventListener("mousemove", follow);
  for (const touch of ["touchstart", "touchmove"]) drawn.addEventListener(touch, (event) => follow(event.touches[0]), { passive: true });
  drawn.addEventListener("keydown", (event) => {
    const to = { ArrowLeft: place - 1, ArrowDown: place - 1, ArrowRight: place + 1, ArrowUp: place + 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    tell(to);
  });
  tell(last);
}

document.querySelectorAll(".plot").forEach(telling);
