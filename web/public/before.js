// Runs before the first paint, so that the page never shows the wrong theme for a moment. lib/settings.svelte.ts takes over from here.
(function () {
  var root = document.documentElement;
  var kept = {};
  try {
    kept = JSON.parse(localStorage.getItem("souk") || "{}");
  } catch {
    // a browser without storage has the system's settings
  }
  var day = matchMedia("(prefers-color-scheme: light)").matches;
  var still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  root.dataset.theme = kept.theme === "day" || kept.theme === "night" ? kept.theme : day ? "day" : "night";
  root.dataset.motion = kept.motion === "on" || kept.motion === "off" ? kept.motion : still ? "off" : "on";
  if (kept.language) root.lang = kept.language;
})();
