// The wall: shows what the stream brings.

import { follow } from "/live.js";

follow("/wall/events", () => {}, (lost) => document.body.classList.toggle("lost", lost));
