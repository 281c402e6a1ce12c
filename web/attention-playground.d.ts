// <attention-playground> for people who write TypeScript. docs/embedding.md explains it.
import type { AnswerRecord, Link, StageNumbers } from "./types";

/** Options of exportPNG; heads count from 1. */
export interface PictureOptions {
  dark?: 0 | 1;
  transparent?: 0 | 1;
  title?: 0 | 1;
  legend?: 0 | 1;
  head?: number;
  /** Pixels per point. */
  scale?: number;
}

export interface AttentionPlaygroundEvents {
  /** The playground takes commands now. */
  ready: CustomEvent<object>;
  /** The visitor changed something and has paused. */
  change: CustomEvent<{ link: Link }>;
  /** The visitor answered "Check me": how many answers were right, how many were asked for, how many hints were taken. */
  answer: CustomEvent<{ right: number; asked: number; hints: number }>;
  /** The visitor answered anything that is asked, predictions too: all answers of the visit. */
  answers: CustomEvent<{ answers: AnswerRecord[] }>;
  /** The playground has stopped working; the message is a sentence for people. */
  error: CustomEvent<{ message: string }>;
}

/** Promises wait until the frame is ready. They reject if the frame cannot do it, after `error`, and once the element is removed. */
export class AttentionPlayground extends HTMLElement {
  getState(): Promise<Link>;
  /** Opens a state. Resolves to it with every value moved to the nearest legal one. */
  setState(link: Link): Promise<Link>;
  /** The numbers of a stage, for each sentence of the batch. */
  getStage(stage: string): Promise<StageNumbers[]>;
  /** All answers of the visit, after adding those of an earlier one. */
  getAnswers(earlier?: AnswerRecord[]): Promise<AnswerRecord[]>;
  exportPNG(options?: PictureOptions): Promise<Blob>;
  addEventListener<Name extends keyof AttentionPlaygroundEvents>(
    name: Name,
    handler: (event: AttentionPlaygroundEvents[Name]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    name: string,
    handler: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "attention-playground": AttentionPlayground;
  }
}
