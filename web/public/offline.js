// The page of a browser that reaches nobody: shows one of its languages, and tries again and again.
(function () {
  var wished = [];
  try {
    wished.push(JSON.parse(localStorage.getItem("souk") || "{}").language || "");
  } catch {
    // a browser without storage has its own language
  }
  (navigator.languages || []).forEach(function (each) {
    wished.push(each.slice(0, 2).toLowerCase());
  });
  wished.push("en");
  var section = wished
    .map(function (code) {
      return document.querySelector('section[lang="' + code.replace(/\W/g, "") + '"]');
    })
    .find(Boolean);
  document.documentElement.lang = section.lang;
  section.dataset.shown = "";

  function again() {
    section.querySelector("[data-trying]").hidden = false;
    fetch("/healthz", { cache: "no-store" }).then(
      function (answer) {
        if (answer.ok) location.reload();
      },
      function () {
        // still nobody there
      },
    );
  }
  section.querySelector("button").addEventListener("click", again);
  addEventListener("online", again);
  setInterval(again, 5000);
})();
