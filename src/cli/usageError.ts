// A wrong command line, told as every other error is: the words are the library's, the form is ours.

/** The library's `error: …`, with its guess, as a sentence and a hint. */
export function usageError(text: string): string {
  const [, message = text, guess] =
    text.match(/^error: (.*?)\n?(?:\(Did you mean (.*)\?\))?\n$/s) ?? [];
  const hint = guess === undefined ? '--help shows what there is' : `did you mean \`${guess}\`?`;
  return `Error: ${message.replace(/\.$/, '')}\n  hint: ${hint}\n`;
}
