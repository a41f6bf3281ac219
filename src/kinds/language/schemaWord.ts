// A word of the schema language: the form of its value, and its meaning.
import type { Form, ValueOf } from './form.ts';

/** One word. */
export interface Word<T = unknown> {
  readonly form: Form<T>;
  /** One or more sentences for the reference page. */
  readonly does: string;
  /** The meaning if the word is omitted, as a sentence. */
  readonly otherwise?: string;
}

/** Words by name. */
export type Words = Readonly<Record<string, Word>>;

/** The type of an object with these words; the words named in `R` are required. */
export type ValuesOf<W extends Words, R extends keyof W = never> = {
  readonly [N in R]: ValueOf<W[N]['form']>;
} & { readonly [N in Exclude<keyof W, R>]?: ValueOf<W[N]['form']> };
