/** A table of typed columns that grows by doubling while a log is read. */

/** What a column holds before it is written: 0; `nan` NaN, `none` -1. */
interface ArrayOf {
  f64: Float64Array<ArrayBuffer>;
  nan: Float64Array<ArrayBuffer>;
  i32: Int32Array<ArrayBuffer>;
  none: Int32Array<ArrayBuffer>;
  u16: Uint16Array<ArrayBuffer>;
  u8: Uint8Array<ArrayBuffer>;
}
type ColumnType = keyof ArrayOf;
type Columns<S extends Record<string, ColumnType>> = { -readonly [K in keyof S]: ArrayOf[S[K]] };

function createArray(type: ColumnType, length: number): ArrayOf[ColumnType] {
  switch (type) {
    case 'f64':
      return new Float64Array(length);
    case 'nan':
      return new Float64Array(length).fill(Number.NaN);
    case 'i32':
      return new Int32Array(length);
    case 'none':
      return new Int32Array(length).fill(-1);
    case 'u16':
      return new Uint16Array(length);
    case 'u8':
      return new Uint8Array(length);
  }
}

/** Columns of one length. `columns` is replaced when they grow: do not keep it over an `add`. */
export class GrowingTable<const S extends Record<string, ColumnType>> {
  length = 0;
  columns: Columns<S>;
  readonly #types: S;
  #capacity: number;

  constructor(types: S, capacity = 64) {
    this.#types = types;
    this.#capacity = capacity;
    this.columns = this.#allocate(capacity);
  }

  /** Appends an entry and returns its index. */
  add(): number {
    if (this.length === this.#capacity) this.#resize(this.#capacity * 2);
    return this.length++;
  }

  /** The columns cut to their length. */
  finish(): Columns<S> & { length: number } {
    this.#resize(this.length);
    return { ...this.columns, length: this.length };
  }

  #allocate(capacity: number): Columns<S> {
    const names = Object.keys(this.#types);
    return Object.fromEntries(
      names.map((name) => [name, createArray(this.#types[name] as ColumnType, capacity)]),
    ) as unknown as Columns<S>;
  }

  #resize(capacity: number): void {
    const old = this.columns as Record<string, ArrayOf[ColumnType]>;
    const next = this.#allocate(capacity);
    for (const [name, column] of Object.entries(next as Record<string, ArrayOf[ColumnType]>)) {
      column.set((old[name] as ArrayOf[ColumnType]).subarray(0, this.length));
    }
    this.columns = next;
    this.#capacity = Math.max(1, capacity);
  }
}
