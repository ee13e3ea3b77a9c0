/** Pictures of both Basari games, which the first page does without: import before they are drawn. */
import { appendPictures } from "../../ui/art/art";

appendPictures(import.meta.glob<string>(["$art/action-*.svg", "$art/disc-*.svg"], { query: "?raw", import: "default", eager: true }));
