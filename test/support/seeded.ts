// Generated cases from a seed, so that a run finds what the run before it found: `MESHFORM_SEED` says another.
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.MESHFORM_SEED || 1) });

export { fc };

/** Any code point except surrogates. `fc.string` with the unit `binary` first maps all of them, which takes a second. */
const anyCharacter = fc
  .integer({ min: 0, max: 0x10_f7ff })
  .map(code => String.fromCodePoint(code < 0xd800 ? code : code + 0x800));

/** A text of any code points except surrogates. */
export const anyText = (length: fc.ArrayConstraints = {}): fc.Arbitrary<string> =>
  fc.array(anyCharacter, length).map(characters => characters.join(''));
