// JSON as the formatter of this repository writes it: objects over several lines, short lists of scalars on one.
type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

const WIDTH = 100;

/** The text of a JSON file that holds `value`. */
export function printed(value: Json): string {
  return `${print(value, '', 0)}\n`;
}

/** `column` is where the value begins; what follows it on its line needs one character at most. */
function print(value: Json, indent: string, column: number): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  if (isList(value)) {
    const flat = `[${value.map(member => JSON.stringify(member)).join(', ')}]`;
    if (value.every(isScalar) && column + flat.length < WIDTH) return flat;
    return around(
      '[]',
      value.map(member => `${inner}${print(member, inner, inner.length)}`),
      indent,
    );
  }
  const fields = Object.entries(value).map(([name, member]) => {
    const head = `${inner}${JSON.stringify(name)}: `;
    return `${head}${print(member, inner, head.length)}`;
  });
  return fields.length === 0 ? '{}' : around('{}', fields, indent);
}

function around([open, close]: string, lines: readonly string[], indent: string): string {
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}

function isScalar(value: Json): boolean {
  return typeof value !== 'object' || value === null || Object.keys(value).length === 0;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
