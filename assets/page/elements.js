// Makes the elements of a page.

/**
 * Makes an element. Its text is set as plain text, so that no name becomes markup.
 * @param {string} tag
 * @param {Record<string, string | number | undefined>} attributes
 * @param {string} [text]
 */
export function make(tag, attributes, text) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined) element.setAttribute(name, String(value));
  if (text !== undefined) element.textContent = text;
  return element;
}
