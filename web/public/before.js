// Runs before the first paint, so that the wrong theme never flashes. state/settings.svelte.ts
// takes over from here.
(function () {
  var root = document.documentElement;
  var kept = {};
  try {
    kept = JSON.parse(localStorage.getItem("souk") || "{}");
  } catch {
    // no storage: use the system's settings
  }
  var day = matchMedia("(prefers-color-scheme: light)").matches;
  var still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  root.dataset.theme = kept.theme === "day" || kept.theme === "night" ? kept.theme : day ? "day" : "night";
  root.dataset.motion = kept.motion === "on" || kept.motion === "off" ? kept.motion : still ? "off" : "on";
  if (kept.language) root.lang = kept.language;
})();
