// The offline page: picks a language and keeps retrying.
(function () {
  var wished = [];
  try {
    wished.push(JSON.parse(localStorage.getItem("souk") || "{}").language || "");
  } catch {
    // no storage: use the browser's language
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
        // still offline
      },
    );
  }
  section.querySelector("button").addEventListener("click", again);
  addEventListener("online", again);
  setInterval(again, 5000);
})();
