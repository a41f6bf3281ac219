// Outputs and summaries of a step. A value can contain any text, so each is enclosed in unguessable delimiters.
import { randomUUID } from 'node:crypto';
import { appendFile } from 'node:fs/promises';

/** Outputs in the format of the file that a forge provides for a step. */
export function outputLines(
  outputs: Readonly<Record<string, string>>,
  delimiter: () => string = () => `meshform-${randomUUID()}`,
): string {
  return Object.entries(outputs)
    .map(([name, value]) => {
      const end = delimiter();
      return `${name}<<${end}\n${value}\n${end}\n`;
    })
    .join('');
}

/** Appends to the file that an environment variable of the forge names, if it is set. */
export async function appendTo(file: string | undefined, text: string): Promise<void> {
  if (file !== undefined && file !== '') await appendFile(file, text);
}
