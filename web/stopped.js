// What the page offers once its program has stopped: to start anew with as much of the visitor's work as is safe to take along. It is
// loaded with the text version, before anybody needs it.
import { make } from "./dom.js";
import { kMostTries, values_of, with_values } from "./links.js";

/** @import { LinkStore } from "./types" */

const kMostKeys = 3; // that the sentence names

/** The keys whose values two links do not share, in the order of the first. @param {string} link @param {string} other */
function changed_keys(link, other) {
  const keys = [link, other].flatMap((one) => [...new URLSearchParams(one).keys()]);
  return [...new Set(keys)].filter((key) => values_of(link, key).join("\n") !== values_of(other, key).join("\n"));
}

/**
 * The links to start anew with, each with the words on its button; the safest for the visitor's work first.
 * @param {string} link that the program stopped with
 * @param {string | null} rested the last one of which everything was there; null: there was none
 * @param {Record<string, number>} stops how often it stopped with a link
 * @returns {{ link: string, words: string }[]}
 */
export function new_starts(link, rested, stops) {
  const sentence_alone = with_values("", "text", values_of(link, "text"));
  const ways = [
    { link: rested ?? link, words: rested === null || rested === link ? "Try it again" : "Go back to before that" },
    { link: sentence_alone, words: "Take the sentence alone" },
    { link: "", words: "Start from the beginning" },
  ];
  const is_first = (/** @type {{ link: string }} */ way) => ways.find((other) => other.link === way.link) === way;
  return ways.filter((way) => is_first(way) && (stops[way.link] ?? 0) < kMostTries);
}

/**
 * Puts a button for each new start behind the sentence in `place`. Each reloads the page.
 * @param {HTMLElement} place
 * @param {string} link as of new_starts()
 * @param {string | null} rested
 * @param {LinkStore} links
 */
export function offer_new_starts(place, link, rested, links) {
  const stops = links.stopped(link, rested);
  const keys = rested === null ? [] : changed_keys(link, rested);
  if (keys.length > 0 && keys.length <= kMostKeys) place.append(` It was taking up ${keys.join(", ")}.`);
  const buttons = new_starts(link, rested, stops).map((way) => {
    const button = make("button", { type: "button", class: "text-button" }, way.words);
    button.addEventListener("click", () => links.start_anew(way.link));
    return button;
  });
  place.append(make("span", { class: "new-starts" }, ...buttons));
  if (document.activeElement === document.body || place.parentElement?.contains(document.activeElement))
    buttons[0]?.focus();
}
