// The position of a value in a YAML file, as text. If a secret is written literally, plans contain its position instead.
import { pathOf, pointer } from '../text/pointer.ts';
import type { Path } from '../value.ts';

/** The position of a value. */
export interface YamlPosition {
  /** The path of the file from the folder of desired state. */
  readonly file: string;
  /** The index of the document in the file, from 0. */
  readonly document: number;
  readonly path: Path;
}

/** The position of a secret, and the references in its text. To read the secret, only these references may be resolved. */
export interface SecretPosition extends YamlPosition {
  /** The references in the text, such as `env:NAME`, in their order. */
  readonly references: readonly string[];
}

const POSITION = /^\$\{yaml:([^#{}]+)#(\d*)((?:\/[^#{}]*)?)(?:#([^#{}]+))?\}$/;

/**
 * `${yaml:network.yaml#/groups/0/name}`; a document after the first has its index after `#`. The references of the text follow
 * after another `#`, separated by commas. Files cannot contain a reference of this type.
 */
export function positionText({ file, document, path, references }: SecretPosition): string {
  const number = document === 0 ? '' : document;
  const place = `${escaped(file)}#${number}${escaped(pointer(path))}`;
  const opened = references.map(reference => escaped(reference).replaceAll(',', '%2C')).join(',');
  return `\${yaml:${place}${opened === '' ? '' : `#${opened}`}}`;
}

/** Parses the text of a position; null for any other text. */
export function positionIn(text: string): SecretPosition | null {
  const [, file, number, path, opened] = POSITION.exec(text) ?? [];
  if (file === undefined) return null;
  return {
    file: unescaped(file),
    document: Number(number ?? 0),
    path: pathOf(unescaped(path ?? '')),
    references: opened === undefined ? [] : opened.split(',').map(unescaped),
  };
}

const escaped = (text: string): string =>
  text.replaceAll(/[%#{}\p{Cc}]/gu, character => encodeURIComponent(character));

function unescaped(text: string): string {
  return text.replaceAll(/%[0-9A-F]{2}/g, code =>
    String.fromCharCode(Number.parseInt(code.slice(1), 16)),
  );
}
