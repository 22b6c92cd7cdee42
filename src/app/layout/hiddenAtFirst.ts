/**
 * Panels that a scenario does not show at first: three mechanism panels side by side can be read from afar, and
 * callbacks wait for a scenario that is about them.
 */
export function hiddenAtFirst(scenario: string): readonly string[] {
  return scenario.startsWith('callbacks-and-barrier') ? [] : ['callbacks'];
}
