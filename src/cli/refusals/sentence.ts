// The message of a refusal.

/** A message, the next step, and the lines below the message. */
export type Sentence = readonly [message: string, hint: string, lines?: readonly string[]];
