// Values that a rendered text cannot contain: literal secrets, and files that are looked up in another layer.
import type { Kind } from '../../kinds/kind.ts';
import { hasHidden, hostOf, isHidden, secretPartsOf } from '../../kinds/values/hidden.ts';
import { shapeAt } from '../../kinds/values/shapeAt.ts';
import type { Diagnostic, Span } from '../../model/diagnostic.ts';
import { quoted } from '../../model/text/visible.ts';
import type { Path } from '../../model/value.ts';
import { referencesIn } from '../values/reference.ts';
import type { SourceNode } from '../yaml/node.ts';

/**
 * The text that replaces a value, and the finding that explains it. A reader rejects a rendered
 * text that contains the mask.
 */
export interface Masked {
  readonly text: string;
  readonly finding: Diagnostic;
}

/** A text of an object. */
interface TextAt {
  readonly kind: Kind;
  readonly node: SourceNode;
  readonly path: Path;
  readonly text: string;
  /** Whether the text is a reference to a secret, and does not only look like one. */
  readonly isReference: boolean;
}

/** The mask of a text of an object; undefined for a text that can be shown and read again. */
export function maskOf({ kind, node, path, text, isReference }: TextAt): Masked | undefined {
  const at = node.at(path);
  if (isReference)
    return maskOfFile(text, node.written(path).origin.layer?.fromLastLayer ?? '', at);
  if (!hasHidden(kind) || !isHidden(shapeAt(kind.shape, path))) return undefined;
  if (secretPartsOf(text).length === 0) return undefined;
  const message = 'this address is written in the files and may be secret, so it is masked here';
  return { text: `https://${hostOf(text)}/***`, finding: { ...MASKED, message, at } };
}

function maskOfFile(text: string, way: string, at: Span): Masked | undefined {
  const file = referencesIn(text).find(({ source }) => source === 'file' || source === 'sops');
  if (!file || way === '') return undefined;
  const reference = `\${${file.source}:${file.name}}`;
  const message = `${quoted(reference)} is looked up in the layer ${quoted(way)}, so it is masked here`;
  return {
    text: `*** (${file.source}:${file.name} of ${way})`,
    finding: { ...MASKED, message, at },
  };
}

const MASKED = {
  code: 'RENDER_MASKED',
  severity: 'note',
  hint: 'use this text only for reading: meshform refuses a file that contains a mask',
} as const;
