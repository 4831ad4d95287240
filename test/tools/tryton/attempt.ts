// One attempt of a write in a process of its own, which a check kills: node attempt.ts JSON, with the server, the write and whether it is a retry.
import { connect } from './source.ts';

const { server, write, isRepeated } = JSON.parse(process.argv[2]!);
const connector = connect(server);
// As the gateway does: what an earlier attempt made is looked up before it is sent again.
const response = (isRepeated ? await connector.findPushed!(write) : null) ?? (await connector.push!(write));
process.stdout.write(response.platformId);
