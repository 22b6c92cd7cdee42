/** kmalloc size classes (kvfree K23). */

/** The classes that are no powers of two. */
const ODD_CLASSES = [96, 192];
/** ARCH_KMALLOC_MINALIGN of a 64-bit kernel: the smallest class. */
const LEAST_CLASS = 8;

/**
 * Bytes that kmalloc() takes for an object of `bytes` >= 1: the next power of two from 8 on, or 96 or 192 where these
 * are nearer. Above 8192 these are whole pages, by powers of two as well (kmalloc_large()).
 */
export function sizeClass(bytes: number): number {
  let size = LEAST_CLASS;
  while (size < bytes) size *= 2;
  return ODD_CLASSES.find((odd) => bytes <= odd && odd < size) ?? size;
}
