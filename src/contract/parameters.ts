// Validates the path and query parameters of a request, which all arrive as text.
import type { Parameter } from './operations.ts';
import type { Check } from './validators.ts';
import type { Violation } from './violations.ts';

/** The parameters of a request. */
export interface ParameterValues {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
}

/** The violations of the text given for one parameter. */
export function checkParameter(
  check: Check,
  parameter: Parameter,
  values: ParameterValues,
): readonly Violation[] {
  const { name, required, type, schema } = parameter;
  const at = `/${name}`;
  const text = values[parameter.in]?.[name];
  if (text === undefined)
    return required ? [{ at, keyword: 'required', sentence: `${name} is required` }] : [];
  return check(schema, spelled(text, type)).map(({ keyword, sentence }) => ({
    at,
    keyword,
    sentence: sentence.replace('the body', name),
  }));
}

/** The value that the text of a parameter represents: a number or a boolean if the parameter has such a type. */
function spelled(text: string, type: string): unknown {
  if (type === 'integer' && /^-?\d+$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}
