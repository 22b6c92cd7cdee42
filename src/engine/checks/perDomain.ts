/** State that is kept for every domain, by its track. */
export function perDomain<T>(create: () => T): (track: number) => T {
  const states = new Map<number, T>();
  return (track) => {
    let state = states.get(track);
    if (state === undefined) {
      state = create();
      states.set(track, state);
    }
    return state;
  };
}
