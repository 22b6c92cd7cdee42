/**
 * Widths at which the layout changes. In rem of the browser's own font size, so that 200 % zoom takes the layout of a
 * screen of half the width.
 */
export const WIDE = '(min-width: 75rem)';
export const MEDIUM = '(min-width: 50rem)';
