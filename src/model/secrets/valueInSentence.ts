// A value in a sentence, on one line. Secrets are never shown.

import { jsonString, nameText } from '../text/visible.ts';
import { isList, isObject } from '../value.ts';
import { isSecret } from './secret.ts';
import type { Shown } from './shown.ts';

/** The whole value as a text. */
export function valueInSentence(value: Shown): string {
  if (isSecret(value)) return '(secret)';
  if (typeof value === 'string') return jsonString(value);
  if (isList(value)) return `[${value.map(item => valueInSentence(item)).join(', ')}]`;
  if (!isObject(value)) return String(value);
  const parts = Object.entries(value).map(
    ([name, item]) => `${nameText(name)}: ${valueInSentence(item)}`,
  );
  return `{ ${parts.join(', ')} }`;
}
