// Loaded into a worker with --import: its clock is INFRASYNC_TEST_CLOCK_SHIFT milliseconds away from that of the machine; default: 0.
const shift = Number(process.env.INFRASYNC_TEST_CLOCK_SHIFT ?? 0);
const Machine = Date;
globalThis.Date = class Date extends Machine {
  constructor(...given) {
    if (given.length === 0) super(Machine.now() + shift);
    else super(...given);
  }
  static now() {
    return Machine.now() + shift;
  }
};
