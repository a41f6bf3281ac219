// The message of a refusal.

/** A message, what to do next, and the lines below the message. */
export type Sentence = readonly [message: string, hint: string, lines?: readonly string[]];
