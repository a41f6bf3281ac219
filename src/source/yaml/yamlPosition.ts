// The position of a value in a YAML file as text. Plans contain it instead of a secret that is written literally.
import { pathOf, pointer } from '../../model/text/pointer.ts';
import type { Path } from '../../model/value.ts';

/** The position of a value. */
export interface YamlPosition {
  /** The path of the file from the folder of desired state. */
  readonly file: string;
  /** The index of the document in the file, from 0. */
  readonly document: number;
  readonly path: Path;
}

const POSITION = /^\$\{yaml:([^#{}]+)#(\d*)((?:\/[^#{}]*)?)\}$/;

/**
 * `${yaml:network.yaml#/groups/0/name}`; a later document has its index after `#`. Files cannot contain such a
 * reference.
 */
export function positionText({ file, document, path }: YamlPosition): string {
  const number = document === 0 ? '' : document;
  return `\${yaml:${escaped(file)}#${number}${escaped(pointer(path))}}`;
}

/** Parses the text of a position; null for any other text. */
export function positionIn(text: string): YamlPosition | null {
  const [, file, number, path] = POSITION.exec(text) ?? [];
  if (file === undefined) return null;
  const steps = pathOf(unescaped(path ?? ''));
  return { file: unescaped(file), document: Number(number ?? 0), path: steps };
}

const escaped = (text: string): string =>
  text.replaceAll(/[%#{}\p{Cc}]/gu, character => encodeURIComponent(character));

function unescaped(text: string): string {
  return text.replaceAll(/%[0-9A-F]{2}/g, code =>
    String.fromCharCode(Number.parseInt(code.slice(1), 16)),
  );
}
