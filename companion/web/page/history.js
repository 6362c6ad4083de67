// The history's pages work without this: it only shares an evening's summary, and keeps the light chosen for the table.

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
