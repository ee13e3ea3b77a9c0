/** What jsdom lacks of a browser: it has no screen. */

function screenIsPlain(media: string): MediaQueryList {
  const nothing = () => undefined;
  return Object.assign(new EventTarget(), { matches: false, media, onchange: null, addListener: nothing, removeListener: nothing });
}

window.matchMedia = screenIsPlain;
window.scrollTo = () => undefined;
