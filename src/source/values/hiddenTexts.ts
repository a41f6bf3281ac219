// The texts of secrets with a visible host, such as the address of a webhook: literal texts, or references.
import type { Kind } from '../../kinds/kind.ts';
import { hasHidden, isHidden, secretPartsOf } from '../../kinds/values/hidden.ts';
import { shapeAt } from '../../kinds/values/shapeAt.ts';
import type { HiddenSources } from '../../model/object.ts';
import { type Secret, secretFrom } from '../../model/secrets/secret.ts';
import { positionText } from '../../model/secrets/yamlPosition.ts';
import type { Path } from '../../model/value.ts';
import type { SourceNode } from '../yaml/node.ts';
import type { SecretInputs } from './externalInputs.ts';
import { fromRun } from './layerPaths.ts';
import { hasSecretReference, isWholeReference, secretReferences } from './reference.ts';
import { isHostSecret } from './referencePlace.ts';

/** The hidden texts of one object, and their sources. */
export interface HiddenTexts {
  readonly isAt: (path: Path) => boolean;
  /** Whether a text contains a reference. */
  readonly isReference: (text: string, path: Path) => boolean;
  /** Records the position of a literal text and returns the text. */
  readonly literal: (text: string, path: Path, inputs: SecretInputs) => string;
  /** Records a reference, which is opened when it is needed, and returns the secret. */
  readonly reference: (text: string, path: Path, inputs: SecretInputs) => Secret;
  readonly sources: () => { readonly hidden?: HiddenSources };
}

/** Collects the hidden texts of an object. */
export function hiddenTexts(kind: Kind, node: SourceNode): HiddenTexts {
  const sources = new Map<string, string>();
  const unread = new Map<string, string>();
  const places = new Map<string, string>();
  const isAt = (path: Path) => hasHidden(kind) && isHidden(shapeAt(kind.shape, path));
  return {
    isAt,
    isReference: (text, path) => hasSecretReference(text) && isAt(path),
    literal: (text, path, { onSecret }) => {
      for (const part of secretPartsOf(text)) onSecret?.(part);
      sources.set(text, positionText({ ...node.position(path), references: [] }));
      return text;
    },
    reference: (written, path, { layer }) => {
      const text = fromRun(written, layer);
      // The text around a reference, or the default of a reference, may be a part of the secret.
      const references = secretReferences(text);
      const source = isWholeReference(text)
        ? text
        : positionText({ ...node.position(path), references });
      unread.set(source, text);
      if (isHostSecret(text)) places.set(source, placeName(node, path));
      return secretFrom(source);
    },
    sources: () =>
      sources.size + unread.size > 0
        ? { hidden: { sources, unread, written: new Map(), places } }
        : {},
  };
}

// `network.yaml#2` for the second item of a list in this file; `network.yaml#2.1` for the first in its second document;
// `network.yaml#2.hamburg` for the object that `for_each` makes of the second item for this entry.
function placeName(node: SourceNode, inside: Path): string {
  const { file, document, path } = node.position([]);
  const steps = [...path, ...inside].filter(step => /^\d+$/.test(step));
  const numbers = steps.map(step => Number(step) + 1);
  const instances = node.at([]).use?.instances ?? [];
  return `${file}#${[...(document === 0 ? [] : [document + 1]), ...numbers, ...instances].join('.')}`;
}
