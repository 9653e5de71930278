// A process that spends a token as the provider does, with as many requests as the ledger lets it: node ledger-spender.ts URL TOKEN PURPOSE
import { createClient, type Purpose, QuotaError } from "../../core/api/index.ts";
import { joinLedger, usualShares } from "../../adapters/database/join.ts";

const [baseUrl = "", token = "", purpose = "people"] = process.argv.slice(2);
const ledger = joinLedger({ baseUrl, token, who: "spender", shares: usualShares, environment: process.env });
if (!ledger) throw new Error("there is no ledger");
const client = createClient({ baseUrl, token, onQuota: "fail", ledger }).spendingFor(purpose as Purpose);
let message: string | undefined;
const spend = async () => {
  while (message === undefined)
    try {
      await client.get("/organization");
    } catch (error) {
      if (!(error instanceof QuotaError)) throw error;
      message = error.message;
    }
};
await Promise.all(Array.from({ length: 10 }, spend));
console.log(JSON.stringify({ spent: client.spent.total, message }));
