/** Browser features missing in jsdom: no screen. */

function screenIsPlain(media: string): MediaQueryList {
  const nothing = () => undefined;
  return Object.assign(new EventTarget(), { matches: false, media, onchange: null, addListener: nothing, removeListener: nothing });
}

window.matchMedia = screenIsPlain;
window.scrollTo = () => undefined;
