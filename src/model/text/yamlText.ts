// Text as YAML has it, for lines that people are to write into their files.
import { hasHidden, jsonString } from './visible.ts';

/** A text as YAML wants it: in quotes where it would be taken for something else. */
export function inYaml(text: string): string {
  const isPlain =
    /^[\p{L}\p{N}_/.<][^:#,[\]{}"'`\p{C}]*$/u.test(text) &&
    text === text.trimEnd() &&
    !hasHidden(text);
  const looksElse = /^(true|false|null|[\d.]+(e[-+]?\d+)?|0[ox][\da-f]+)$/i.test(text);
  const isAddress = /\.\d+\./.test(text);
  return isPlain && (isAddress || !looksElse) ? text : jsonString(text);
}
