// <attention-playground> for people who write TypeScript. docs/embedding.md explains it.
import type { Link, StageNumbers } from "./types";

/** What exportPNG understands; heads count from 1. */
export interface PictureOptions {
  dark?: 0 | 1;
  transparent?: 0 | 1;
  title?: 0 | 1;
  legend?: 0 | 1;
  head?: number;
  /** Pixels a point. */
  scale?: number;
}

export interface AttentionPlaygroundEvents {
  /** It can be commanded. */
  ready: CustomEvent<object>;
  /** The visitor changed something and rests. */
  change: CustomEvent<{ link: Link }>;
  /** "Check me" was answered: how many were right and asked, and how many hints were taken. */
  answer: CustomEvent<{ right: number; asked: number; hints: number }>;
  /** It works no more; a sentence for people. */
  error: CustomEvent<{ message: string }>;
}

/** Promises wait until the frame is ready; they reject when the frame cannot do it, after `error`, and after the element was removed. */
export class AttentionPlayground extends HTMLElement {
  getState(): Promise<Link>;
  /** Resolves to the state with every value moved to the nearest legal one. */
  setState(link: Link): Promise<Link>;
  /** The numbers of a stage, for each sentence of the batch. */
  getStage(stage: string): Promise<StageNumbers[]>;
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
