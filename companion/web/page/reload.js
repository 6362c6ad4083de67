// Loads the page anew every ten seconds, and says so, in a browser that cannot follow. It runs in any browser: what
// follows takes the sentence away.

(function () {
  function sentence() {
    return document.getElementById("cannot-follow");
  }

  function reload() {
    var page;
    if (!sentence()) return;
    page = new XMLHttpRequest(); // while the box is off, the page stays
    page.open("GET", location.href);
    page.onload = function () { location.reload(); };
    page.onerror = function () { setTimeout(reload, 10000); };
    page.send();
  }

  setTimeout(function () { if (sentence()) sentence().removeAttribute("hidden"); }, 4000);
  setTimeout(reload, 10000);
})();
