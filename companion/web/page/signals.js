// What a phone does at the table besides showing it: it sounds, vibrates, and keeps its screen on, each as chosen there.

const TONES = { turn: [660, 880], trick: [520], alert: [440, 330, 440] }; // Hz, a tenth of a second each
const BUZZES = { turn: [40, 60, 40], trick: [25], alert: [120, 80, 120] }; // ms on, off, on

// Return what this phone keeps by a name, after keeping a value.
export function kept(name, value) {
  try {
    if (value !== undefined) localStorage.setItem(name, value);
    return localStorage.getItem(name);
  } catch (_failure) {
    return value === undefined ? null : String(value); // the browser keeps nothing
  }
}

const chosen = (name) => document.querySelector(`[name="${name}"]`);

// ---- sound: browsers allow it once the page has been touched

const Sound = window.AudioContext || window.webkitAudioContext;
let sound = null;

document.addEventListener("click", () => {
  if (!Sound || !document.querySelector("[name^=sound]:checked")) return;
  sound = sound || new Sound();
  if (sound.state === "suspended") sound.resume();
});

function play(tones) {
  const volume = sound.createGain();
  volume.gain.value = 0.15;
  volume.connect(sound.destination);
  tones.forEach((hertz, place) => {
    const tone = sound.createOscillator();
    const begin = sound.currentTime + place / 8;
    tone.frequency.value = hertz;
    tone.connect(volume);
    tone.start(begin);
    tone.stop(begin + 0.1);
  });
}

// Signal that something happened, in the ways chosen for it.
export function signal(what) {
  if (!(what in TONES)) return;
  if (sound && chosen(`sound-${what}`).checked) play(TONES[what]);
  if (navigator.vibrate && chosen(`touch-${what}`).checked) navigator.vibrate(BUZZES[what]);
}

if (!navigator.vibrate) document.querySelector("#signals").classList.add("still");

// ---- the screen stays on where a page may ask for it: over https and on the computer of the box

const awake = chosen("awake");
let lock = null;
let asked = 0;

async function keepAwake() {
  const now = asked += 1;
  if (lock) lock.release();
  lock = null;
  if (!awake.checked || document.hidden) return;
  const got = await navigator.wakeLock.request("screen").catch(() => null);
  if (now === asked) lock = got;
  else if (got) got.release(); // asked again since
}

if (navigator.wakeLock) {
  document.querySelector("#awake").hidden = false;
  awake.addEventListener("change", keepAwake);
  document.addEventListener("visibilitychange", keepAwake);
  addEventListener("load", keepAwake); // what was kept of the choice is in its field by now
}
