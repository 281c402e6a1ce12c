// The module that Emscripten makes from src/main.cpp. Its C functions are documented where they are defined:
// src/platform/*_web.cpp.
import type { Host } from "./types";

export interface RawModule {
  callMain(): number;
  UTF8ToString(pointer: number): string;
  stringToNewUTF8(text: string): number;
  /** Replaced when the memory grows: never keep it across a call. */
  readonly HEAPU8: Uint8Array;
  /** As it was given when the module was loaded. */
  readonly host: Host;
  _malloc(size: number): number;
  _free(pointer: number): void;

  _web_frame(seconds: number, device_width: number, device_height: number, scale: number, is_due: number): void;
  _web_work(): number;
  _web_open_link(link: number): void;
  _web_type_sentence(sentence: number): void;
  _web_add_file(name: number, size: number): number;
  _web_note(sentence: number): void;
  _web_set_address(address: number, can_share: number, has_fetch_page: number): void;
  _web_has_all(visited: number): void;
  _web_hurry(): void;
  _web_set_preferences(
    is_dark: number,
    reduces_motion: number,
    has_colors: number,
    ground: number,
    text: number,
    links: number,
    chosen: number,
    on_chosen: number,
  ): void;
  _web_expect_fingers(): void;
  _web_gl_lost(): void;
  _web_gl_restored(): void;
  _web_pointer_at(kind: number, x: number, y: number): void;
  _web_pointer_gone(): void;
  _web_pointer_button(is_down: number): void;
  _web_wheel(right: number, down: number): void;
  _web_can_scroll(x: number, y: number): number;
  _web_can_zoom(): number;
  _web_zoom(notches: number): void;
  _web_key(name: number, is_down: number): number;
  _web_modifiers(control: number, shift: number, alt: number, meta: number): void;
  _web_use_mac_keys(is_mac: number): void;
  _web_text(text: number): void;
  _web_paste(text: number): void;
  _web_focus(has_focus: number, by_pointer: number): void;
  _web_want_items(): void;
  _web_items(): number;
  _web_file_taken(begin: number): void;

  _engine_trace(link: number, stage: number, format: number): number;
  _engine_digest(link: number): number;
  _engine_explain(link: number, stage: number, head: number, row: number, column: number, format: number): number;
  _engine_keys(): number;
  _engine_hideable(): number;
  _engine_find(link: number, query: number): number;
  _engine_prepare(link: number): number;
  _engine_mirror(link: number): number;
  _engine_mirror_head(link: number, head: number): number;
  _engine_visit(link: number): number;
  _engine_act(link: number, name: number, typed: number): number;
  _engine_answers(kept: number, now: number): number;
  _engine_clear_answers(lesson: number): void;
  _engine_task(text: number): number;
  _engine_variants(link: number, names: number, kind: number, paper: number, address: number, seconds: number): number;
  _engine_variants_bytes(): number;
  _engine_forget(): void;
  _engine_legal_link(link: number): number;
  _engine_map_color(is_diverging: number, is_dark: number, t: number): number;
  _engine_font_data(font: number): number;
  _engine_font_size(font: number): number;
  _engine_exports(): number;
  _engine_export(link: number, kind: number, options: number, seconds: number): number;
  _engine_export_bytes(): number;
  _engine_open(link: number, name: number, bytes: number, size: number): number;

  // src/page_models.cpp
  _models_begin(): void;
  _models_add_text(name: number, bytes: number, size: number): void;
  _models_add_tensors(name: number, size: number): void;
  _models_add_part(name: number, begin: number, bytes: number, size: number): void;
  _models_open(): number;
  _models_next(most: number): number;
  _models_slice_is_there(): void;
  _models_take(name: number): number;
  _models_of_link(link: number): number;
  _models_is_open(name: number): number;
  _models_wanted(most: number): number;
  _models_brought(): number;
  _models_close(name: number): void;
}

export interface ModuleOptions {
  canvas: HTMLCanvasElement;
  host: Host;
  noInitialRun: boolean;
  wasmBinary?: Uint8Array;
  /** Instantiates the WebAssembly; without it, the module fetches and instantiates it. */
  instantiateWasm?: (
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ) => object;
}

export default function create_module(options: ModuleOptions): Promise<RawModule>;
