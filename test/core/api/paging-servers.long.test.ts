import { testServers } from "./paging-grid.ts";

testServers([50, 100, 120]);
