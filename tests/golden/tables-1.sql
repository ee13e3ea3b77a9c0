-- Tables as the first version of the schema kept them, made by playing at a server of that version:
-- Suleika and the card game with moves taken back, Basari with choices that are not revealed, Bazaar alone to its end.
-- All seats belong to the browser whose cookie tests/table/test_upgrade.py knows.

CREATE TABLE tables (
    id TEXT PRIMARY KEY, game TEXT NOT NULL, rules INTEGER NOT NULL, players INTEGER NOT NULL, options TEXT NOT NULL,
    seed BLOB NOT NULL, digest TEXT NOT NULL, created REAL NOT NULL, changed REAL NOT NULL,
    over INTEGER NOT NULL, actors TEXT NOT NULL, scores TEXT NOT NULL, winners TEXT NOT NULL, rematch TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE seats (
    "table" TEXT NOT NULL, seat INTEGER NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, level TEXT NOT NULL,
    player BLOB, invitation BLOB, stand_in TEXT NOT NULL, PRIMARY KEY ("table", seat)
) WITHOUT ROWID;
CREATE INDEX seats_of_player ON seats (player) WHERE player IS NOT NULL;
CREATE TABLE events (
    "table" TEXT NOT NULL, seq INTEGER NOT NULL, kind TEXT NOT NULL, seat INTEGER, text TEXT NOT NULL, told TEXT NOT NULL,
    at REAL NOT NULL, PRIMARY KEY ("table", seq)
) WITHOUT ROWID;

INSERT INTO tables VALUES ('64PYDJ4Kx8D5E0G-', 'suleika', 1, 3, '{"first": 0, "turn_at_end": false}', X'd5ac313e30381af9297b199fcc4d9df4f25ae04be548f9425f3bc13e12b645fd', 'dc2f8e6bc6ae60961c4d1c7913bf55fc75a5620e8cd2abba47b4538ef4767f0c', 1794776782.3308907, 1794776783.1041217, 0, '[2]', '[53,45,32]', '[]', '');
INSERT INTO tables VALUES ('TU4kdxUYaWF0LOje', 'basari-cards', 1, 5, '{"deck": "souk"}', X'0ec79b3c15c575f44ddeb7f3e564dc06790356b82ad6c0ffdc258980a440bfc0', 'dbac1233e7877671c9046888a9854ca60384abad8f618b20aa339ea3ea4c0487', 1794776783.2811952, 1794776785.4896846, 0, '[0,1,2,3,4]', '[5,14,5,26,26]', '[]', '');
INSERT INTO tables VALUES ('kj72U6qHBDd9w8qk', 'basari', 1, 3, '{"first": 0, "board": "souk"}', X'4bfb7d2fc5715367d23a1181d393be0f2a678a85a449418e82d3a18ddfeaf51d', '4262d178632f6dfa9ac2b63c173afb06a0c61858d6690bbaff9a452e62219f3c', 1794776783.1113105, 1794776783.2756245, 0, '[1]', '[4,5,4]', '[]', '');
INSERT INTO tables VALUES ('lsALA5QQyLWkPPFF', 'bazaar', 1, 1, '{"rates": [1, 2], "ware": "WWWRR"}', X'9fc168906cb3803a7e49b26e9ee54dc8b09f8542b0d87f62aa4e7fe7ba65a9c4', '10b4e7b86245bf3d26c3e32aaf774ea6788dec2a97e786695310a60f0df905a4', 1794776785.5202358, 1794776790.0773008, 1, '[]', '[5]', '[0]', '');

INSERT INTO seats VALUES ('64PYDJ4Kx8D5E0G-', 0, 'person', 'Traveller', '', X'afd857a0a2bf3efeb25b1f9597e4cdf929fa4a8dc784a7aa9087aed6eb90d013', NULL, '');
INSERT INTO seats VALUES ('64PYDJ4Kx8D5E0G-', 1, 'person', 'Bilal', '', X'afd857a0a2bf3efeb25b1f9597e4cdf929fa4a8dc784a7aa9087aed6eb90d013', NULL, '');
INSERT INTO seats VALUES ('64PYDJ4Kx8D5E0G-', 2, 'person', 'Chadi', '', X'afd857a0a2bf3efeb25b1f9597e4cdf929fa4a8dc784a7aa9087aed6eb90d013', NULL, '');
INSERT INTO seats VALUES ('TU4kdxUYaWF0LOje', 0, 'person', 'Traveller', '', X'afd857a0a2bf3efeb25b1f9597e4cdf929fa4a8dc784a7aa9087aed6eb90d013', NULL, '');
INSERT INTO seats VALUES ('TU4kdxUYaWF0LOje', 1, 'person', 'Bilal', '', X'afd857a0a2bf3efeb25b1f9597e4cdf929fa4a8dc784a7aa9087aed6eb90d013', NULL, '');
INSERT INTO seats VALUES ('TU4kdxUYaWF0LOje', 2, 'person', 'Chadi', '', X'afd857a0a2bf3efeb25b1f9597e4cdf929fa4a8dc784a7aa9087aed6eb90d013', NULL, '');
INSERT INTO seats VALUES ('TU4kdxUYaWF0LOje', 3, 'person', 'Dunya', '', X'afd857a0a2bf3efeb25b1f9597e4cdf929fa4a8dc784a7aa9087aed6eb90d013', NULL, '');
INSERT INTO seats VALUES ('TU4kdxUYaWF0LOje', 4, 'person', 'Emin', '', X'afd857a0a2bf3efeb25b1f9597e4cdf929fa4a8dc784a7aa9087aed6eb90d013', NULL, '');
INSERT INTO seats VALUES ('kj72U6qHBDd9w8qk', 0, 'person', 'Traveller', '', X'afd857a0a2bf3efeb25b1f9597e4cdf929fa4a8dc784a7aa9087aed6eb90d013', NULL, '');
INSERT INTO seats VALUES ('kj72U6qHBDd9w8qk', 1, 'person', 'Bilal', '', X'afd857a0a2bf3efeb25b1f9597e4cdf929fa4a8dc784a7aa9087aed6eb90d013', NULL, '');
INSERT INTO seats VALUES ('kj72U6qHBDd9w8qk', 2, 'person', 'Chadi', '', X'afd857a0a2bf3efeb25b1f9597e4cdf929fa4a8dc784a7aa9087aed6eb90d013', NULL, '');
INSERT INTO seats VALUES ('lsALA5QQyLWkPPFF', 0, 'person', 'Traveller', '', X'afd857a0a2bf3efeb25b1f9597e4cdf929fa4a8dc784a7aa9087aed6eb90d013', NULL, '');

INSERT INTO events VALUES ('64PYDJ4Kx8D5E0G-', 0, 'move', 0, 'left', CAST('[["told.suleika.turns_left",{"who":{"seat":0}}]]' AS BLOB), 1794776782.4185805);
INSERT INTO events VALUES ('64PYDJ4Kx8D5E0G-', 1, 'chance', NULL, '2', CAST('[["told.suleika.walks",{"n":2,"field":"b4"}]]' AS BLOB), 1794776782.4185805);
INSERT INTO events VALUES ('64PYDJ4Kx8D5E0G-', 2, 'move', 0, 'rug b3 c3', CAST('[["told.suleika.lays",{"who":{"seat":0},"one":"b3","other":"c3"}]]' AS BLOB), 1794776782.4514985);
INSERT INTO events VALUES ('64PYDJ4Kx8D5E0G-', 3, 'move', 1, 'left', CAST('[["told.suleika.turns_left",{"who":{"seat":1}}]]' AS BLOB), 1794776782.4634318);
INSERT INTO events VALUES ('64PYDJ4Kx8D5E0G-', 4, 'chance', NULL, '1', CAST('[["told.suleika.walks",{"n":1,"field":"b3"}],["told.suleika.pays",{"who":{"seat":1},"owner":{"seat":0},"n":2}]]' AS BLOB), 1794776782.4634318);
INSERT INTO events VALUES ('64PYDJ4Kx8D5E0G-', 5, 'move', 1, 'rug b2 a2', CAST('[["told.suleika.lays",{"who":{"seat":1},"one":"b2","other":"a2"}]]' AS BLOB), 1794776782.473501);
INSERT INTO events VALUES ('64PYDJ4Kx8D5E0G-', 6, 'move', 2, 'left', CAST('[["told.suleika.turns_left",{"who":{"seat":2}}]]' AS BLOB), 1794776782.5029113);
INSERT INTO events VALUES ('64PYDJ4Kx8D5E0G-', 7, 'chance', NULL, '1', CAST('[["told.suleika.walks",{"n":1,"field":"c3"}],["told.suleika.pays",{"who":{"seat":2},"owner":{"seat":0},"n":2}]]' AS BLOB), 1794776782.5029113);
INSERT INTO events VALUES ('64PYDJ4Kx8D5E0G-', 8, 'move', 2, 'rug c2 b2', CAST('[["told.suleika.lays",{"who":{"seat":2},"one":"c2","other":"b2"}]]' AS BLOB), 1794776782.5148675);
INSERT INTO events VALUES ('64PYDJ4Kx8D5E0G-', 9, 'move', 0, 'right', CAST('[["told.suleika.turns_right",{"who":{"seat":0}}]]' AS BLOB), 1794776782.5252507);
INSERT INTO events VALUES ('64PYDJ4Kx8D5E0G-', 10, 'chance', NULL, '2', CAST('[["told.suleika.walks",{"n":2,"field":"c1"}]]' AS BLOB), 1794776782.5252507);
INSERT INTO events VALUES ('64PYDJ4Kx8D5E0G-', 11, 'move', 0, 'rug c2 d2', CAST('[["told.suleika.lays",{"who":{"seat":0},"one":"c2","other":"d2"}]]' AS BLOB), 1794776782.5362375);
INSERT INTO events VALUES ('64PYDJ4Kx8D5E0G-', 12, 'move', 1, 'straight', CAST('[["told.suleika.goes_straight",{"who":{"seat":1}}]]' AS BLOB), 1794776782.563018);
INSERT INTO events VALUES ('64PYDJ4Kx8D5E0G-', 13, 'chance', NULL, '1', CAST('[["told.suleika.walks",{"n":1,"field":"b1"}]]' AS BLOB), 1794776782.563018);
INSERT INTO events VALUES ('64PYDJ4Kx8D5E0G-', 14, 'move', 1, 'rug b2 c2', CAST('[["told.suleika.lays",{"who":{"seat":1},"one":"b2","other":"c2"}]]' AS BLOB), 1794776782.5751164);
INSERT INTO events VALUES ('64PYDJ4Kx8D5E0G-', 15, 'back', 1, 'rug b2 c2', CAST('[["table.takes_back",{"who":{"seat":1}}]]' AS BLOB), 1794776782.5953364);
INSERT INTO events VALUES ('64PYDJ4Kx8D5E0G-', 16, 'move', 1, 'rug b2 a2', CAST('[["told.suleika.lays",{"who":{"seat":1},"one":"b2","other":"a2"}]]' AS BLOB), 1794776782.6609313);
INSERT INTO events VALUES ('64PYDJ4Kx8D5E0G-', 17, 'move', 2, 'left', CAST('[["told.suleika.turns_left",{"who":{"seat":2}}]]' AS BLOB), 1794776782.6935885);
INSERT INTO events VALUES ('64PYDJ4Kx8D5E0G-', 18, 'chance', NULL, '3', CAST('[["told.suleika.walks",{"n":3,"field":"a2"}],["told.suleika.pays",{"who":{"seat":2},"owner":{"seat":1},"n":2}]]' AS BLOB), 1794776782.6935885);
INSERT INTO events VALUES ('64PYDJ4Kx8D5E0G-', 19, 'move', 2, 'rug b2 b1', CAST('[["told.suleika.lays",{"who":{"seat":2},"one":"b2","other":"b1"}]]' AS BLOB), 1794776782.841233);
INSERT INTO events VALUES ('64PYDJ4Kx8D5E0G-', 20, 'move', 0, 'left', CAST('[["told.suleika.turns_left",{"who":{"seat":0}}]]' AS BLOB), 1794776782.8569076);
INSERT INTO events VALUES ('64PYDJ4Kx8D5E0G-', 21, 'chance', NULL, '3', CAST('[["told.suleika.walks",{"n":3,"field":"c3"}]]' AS BLOB), 1794776782.8569076);
INSERT INTO events VALUES ('64PYDJ4Kx8D5E0G-', 22, 'move', 0, 'rug c2 b2', CAST('[["told.suleika.lays",{"who":{"seat":0},"one":"c2","other":"b2"}]]' AS BLOB), 1794776782.865656);
INSERT INTO events VALUES ('64PYDJ4Kx8D5E0G-', 23, 'move', 1, 'right', CAST('[["told.suleika.turns_right",{"who":{"seat":1}}]]' AS BLOB), 1794776782.872755);
INSERT INTO events VALUES ('64PYDJ4Kx8D5E0G-', 24, 'chance', NULL, '2', CAST('[["told.suleika.walks",{"n":2,"field":"c1"}]]' AS BLOB), 1794776782.872755);
INSERT INTO events VALUES ('64PYDJ4Kx8D5E0G-', 25, 'move', 1, 'rug d1 d2', CAST('[["told.suleika.lays",{"who":{"seat":1},"one":"d1","other":"d2"}]]' AS BLOB), 1794776782.8964512);
INSERT INTO events VALUES ('64PYDJ4Kx8D5E0G-', 26, 'back', 1, 'rug d1 d2', CAST('[["table.takes_back",{"who":{"seat":1}}]]' AS BLOB), 1794776782.9090173);
INSERT INTO events VALUES ('64PYDJ4Kx8D5E0G-', 27, 'move', 1, 'rug b1 a1', CAST('[["told.suleika.lays",{"who":{"seat":1},"one":"b1","other":"a1"}]]' AS BLOB), 1794776782.9208908);
INSERT INTO events VALUES ('64PYDJ4Kx8D5E0G-', 28, 'move', 2, 'straight', CAST('[["told.suleika.goes_straight",{"who":{"seat":2}}]]' AS BLOB), 1794776783.0043354);
INSERT INTO events VALUES ('64PYDJ4Kx8D5E0G-', 29, 'chance', NULL, '2', CAST('[["told.suleika.walks",{"n":2,"field":"b2"}],["told.suleika.pays",{"who":{"seat":2},"owner":{"seat":0},"n":5}]]' AS BLOB), 1794776783.0043354);
INSERT INTO events VALUES ('64PYDJ4Kx8D5E0G-', 30, 'move', 2, 'rug b3 a3', CAST('[["told.suleika.lays",{"who":{"seat":2},"one":"b3","other":"a3"}]]' AS BLOB), 1794776783.043302);
INSERT INTO events VALUES ('64PYDJ4Kx8D5E0G-', 31, 'move', 0, 'right', CAST('[["told.suleika.turns_right",{"who":{"seat":0}}]]' AS BLOB), 1794776783.0695612);
INSERT INTO events VALUES ('64PYDJ4Kx8D5E0G-', 32, 'chance', NULL, '1', CAST('[["told.suleika.walks",{"n":1,"field":"c2"}]]' AS BLOB), 1794776783.0695612);
INSERT INTO events VALUES ('64PYDJ4Kx8D5E0G-', 33, 'move', 0, 'rug c3 b3', CAST('[["told.suleika.lays",{"who":{"seat":0},"one":"c3","other":"b3"}]]' AS BLOB), 1794776783.0800102);
INSERT INTO events VALUES ('64PYDJ4Kx8D5E0G-', 34, 'move', 1, 'left', CAST('[["told.suleika.turns_left",{"who":{"seat":1}}]]' AS BLOB), 1794776783.0903947);
INSERT INTO events VALUES ('64PYDJ4Kx8D5E0G-', 35, 'chance', NULL, '2', CAST('[["told.suleika.walks",{"n":2,"field":"c4"}]]' AS BLOB), 1794776783.0903947);
INSERT INTO events VALUES ('64PYDJ4Kx8D5E0G-', 36, 'move', 1, 'rug c3 d3', CAST('[["told.suleika.lays",{"who":{"seat":1},"one":"c3","other":"d3"}]]' AS BLOB), 1794776783.1041217);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 0, 'chance', NULL, '3/4/YYY', CAST('[["told.basari-cards.is_dealt",{"who":{"seat":0},"card":["told.basari-cards.card",{"workers":3,"points":4,"gems":{"all":[["word.gems.yellow",{"n":3}]]}}]}]]' AS BLOB), 1794776783.2811952);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 1, 'chance', NULL, '3/4/GGBB', CAST('[["told.basari-cards.is_dealt",{"who":{"seat":1},"card":["told.basari-cards.card",{"workers":3,"points":4,"gems":{"all":[["word.gems.green",{"n":2}],["word.gems.blue",{"n":2}]]}}]}]]' AS BLOB), 1794776783.2811952);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 2, 'chance', NULL, '4/5/YGB', CAST('[["told.basari-cards.is_dealt",{"who":{"seat":2},"card":["told.basari-cards.card",{"workers":4,"points":5,"gems":{"all":[["word.gems.yellow",{"n":1}],["word.gems.green",{"n":1}],["word.gems.blue",{"n":1}]]}}]}]]' AS BLOB), 1794776783.2811952);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 3, 'chance', NULL, '3/4/RRR', CAST('[["told.basari-cards.is_dealt",{"who":{"seat":3},"card":["told.basari-cards.card",{"workers":3,"points":4,"gems":{"all":[["word.gems.red",{"n":3}]]}}]}]]' AS BLOB), 1794776783.2811952);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 4, 'chance', NULL, '1/6/YYYG', CAST('[["told.basari-cards.is_dealt",{"who":{"seat":4},"card":["told.basari-cards.card",{"workers":1,"points":6,"gems":{"all":[["word.gems.yellow",{"n":3}],["word.gems.green",{"n":1}]]}}]}]]' AS BLOB), 1794776783.2811952);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 5, 'move', 0, 'A', CAST('[["told.core.has_chosen",{"who":{"seat":0}}]]' AS BLOB), 1794776783.2887156);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 6, 'move', 1, 'A', CAST('[["told.core.has_chosen",{"who":{"seat":1}}]]' AS BLOB), 1794776783.3090637);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 7, 'move', 2, 'B', CAST('[["told.core.has_chosen",{"who":{"seat":2}}]]' AS BLOB), 1794776783.3465161);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 8, 'back', 2, 'B', CAST('[["table.takes_back",{"who":{"seat":2}}]]' AS BLOB), 1794776783.3545334);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 9, 'move', 2, 'B', CAST('[["told.core.has_chosen",{"who":{"seat":2}}]]' AS BLOB), 1794776783.357738);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 10, 'move', 3, 'B', CAST('[["told.core.has_chosen",{"who":{"seat":3}}]]' AS BLOB), 1794776783.3595436);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 11, 'move', 4, 'C', CAST('[["told.basari-cards.all_reveal",{"choices":{"all":[["told.haggle.choice",{"who":{"seat":0},"action":"A"}],["told.haggle.choice",{"who":{"seat":1},"action":"A"}],["told.haggle.choice",{"who":{"seat":2},"action":"B"}],["told.haggle.choice",{"who":{"seat":3},"action":"B"}],["told.haggle.choice",{"who":{"seat":4},"action":"C"}]]}}]]' AS BLOB), 1794776783.3633938);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 12, 'move', 0, 'offer 1b', CAST('[["told.haggle.offers",{"who":{"seat":0},"gems":{"all":[["word.gems.blue",{"n":1}]]}}]]' AS BLOB), 1794776783.3685098);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 13, 'move', 1, 'offer 1y', CAST('[["told.haggle.offers",{"who":{"seat":1},"gems":{"all":[["word.gems.yellow",{"n":1}]]}}]]' AS BLOB), 1794776783.3746476);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 14, 'move', 0, 'offer 2b', CAST('[["told.haggle.offers",{"who":{"seat":0},"gems":{"all":[["word.gems.blue",{"n":2}]]}}]]' AS BLOB), 1794776783.3784394);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 15, 'move', 1, 'accept', CAST('[["told.basari-cards.accepts",{"who":{"seat":1},"action":"A","other":{"seat":0}}]]' AS BLOB), 1794776783.3831055);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 16, 'chance', NULL, '1/6/RRB', CAST('[["told.basari-cards.draws",{"who":{"seat":0},"card":["told.basari-cards.card",{"workers":1,"points":6,"gems":{"all":[["word.gems.red",{"n":2}],["word.gems.blue",{"n":1}]]}}]}]]' AS BLOB), 1794776783.3831055);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 17, 'move', 2, 'offer 1g', CAST('[["told.haggle.offers",{"who":{"seat":2},"gems":{"all":[["word.gems.green",{"n":1}]]}}]]' AS BLOB), 1794776783.4038827);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 18, 'move', 3, 'offer 1r', CAST('[["told.haggle.offers",{"who":{"seat":3},"gems":{"all":[["word.gems.red",{"n":1}]]}}]]' AS BLOB), 1794776783.4617608);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 19, 'move', 2, 'offer 2b', CAST('[["told.haggle.offers",{"who":{"seat":2},"gems":{"all":[["word.gems.blue",{"n":2}]]}}]]' AS BLOB), 1794776783.4854178);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 20, 'move', 3, 'offer 2g', CAST('[["told.haggle.offers",{"who":{"seat":3},"gems":{"all":[["word.gems.green",{"n":2}]]}}]]' AS BLOB), 1794776783.6082635);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 21, 'move', 2, 'offer 1y1g', CAST('[["told.haggle.offers",{"who":{"seat":2},"gems":{"all":[["word.gems.yellow",{"n":1}],["word.gems.green",{"n":1}]]}}]]' AS BLOB), 1794776783.7495327);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 22, 'move', 3, 'accept', CAST('[["told.basari-cards.accepts",{"who":{"seat":3},"action":"B","other":{"seat":2}}],["told.basari-cards.scores",{"who":{"seat":2},"n":5}],["told.basari-cards.takes",{"who":{"seat":4},"gems":{"all":[["word.gems.yellow",{"n":3}],["word.gems.green",{"n":1}]]}}]]' AS BLOB), 1794776784.13523);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 23, 'chance', NULL, '3/6/GB', CAST('[["told.basari-cards.is_dealt",{"who":{"seat":0},"card":["told.basari-cards.card",{"workers":3,"points":6,"gems":{"all":[["word.gems.green",{"n":1}],["word.gems.blue",{"n":1}]]}}]}]]' AS BLOB), 1794776784.13523);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 24, 'chance', NULL, '2/6/RYG', CAST('[["told.basari-cards.is_dealt",{"who":{"seat":1},"card":["told.basari-cards.card",{"workers":2,"points":6,"gems":{"all":[["word.gems.red",{"n":1}],["word.gems.yellow",{"n":1}],["word.gems.green",{"n":1}]]}}]}]]' AS BLOB), 1794776784.13523);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 25, 'chance', NULL, '2/7/GG', CAST('[["told.basari-cards.is_dealt",{"who":{"seat":2},"card":["told.basari-cards.card",{"workers":2,"points":7,"gems":{"all":[["word.gems.green",{"n":2}]]}}]}]]' AS BLOB), 1794776784.13523);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 26, 'chance', NULL, '4/4/RRG', CAST('[["told.basari-cards.is_dealt",{"who":{"seat":3},"card":["told.basari-cards.card",{"workers":4,"points":4,"gems":{"all":[["word.gems.red",{"n":2}],["word.gems.green",{"n":1}]]}}]}]]' AS BLOB), 1794776784.13523);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 27, 'chance', NULL, '4/4/RYY', CAST('[["told.basari-cards.is_dealt",{"who":{"seat":4},"card":["told.basari-cards.card",{"workers":4,"points":4,"gems":{"all":[["word.gems.red",{"n":1}],["word.gems.yellow",{"n":2}]]}}]}]]' AS BLOB), 1794776784.13523);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 28, 'move', 0, 'D', CAST('[["told.core.has_chosen",{"who":{"seat":0}}]]' AS BLOB), 1794776784.1782749);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 29, 'move', 1, 'B', CAST('[["told.core.has_chosen",{"who":{"seat":1}}]]' AS BLOB), 1794776784.3330302);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 30, 'move', 2, 'C', CAST('[["told.core.has_chosen",{"who":{"seat":2}}]]' AS BLOB), 1794776784.3446226);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 31, 'back', 2, 'C', CAST('[["table.takes_back",{"who":{"seat":2}}]]' AS BLOB), 1794776784.3663692);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 32, 'move', 2, 'C', CAST('[["told.core.has_chosen",{"who":{"seat":2}}]]' AS BLOB), 1794776784.388624);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 33, 'move', 3, 'D', CAST('[["told.core.has_chosen",{"who":{"seat":3}}]]' AS BLOB), 1794776784.4002306);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 34, 'move', 4, 'A', CAST('[["told.basari-cards.all_reveal",{"choices":{"all":[["told.haggle.choice",{"who":{"seat":0},"action":"D"}],["told.haggle.choice",{"who":{"seat":1},"action":"B"}],["told.haggle.choice",{"who":{"seat":2},"action":"C"}],["told.haggle.choice",{"who":{"seat":3},"action":"D"}],["told.haggle.choice",{"who":{"seat":4},"action":"A"}]]}}]]' AS BLOB), 1794776784.412961);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 35, 'chance', NULL, '1/5/YYGB', CAST('[["told.basari-cards.draws",{"who":{"seat":4},"card":["told.basari-cards.card",{"workers":1,"points":5,"gems":{"all":[["word.gems.yellow",{"n":2}],["word.gems.green",{"n":1}],["word.gems.blue",{"n":1}]]}}]}],["told.basari-cards.scores",{"who":{"seat":1},"n":6}],["told.basari-cards.takes",{"who":{"seat":2},"gems":{"all":[["word.gems.green",{"n":2}]]}}]]' AS BLOB), 1794776784.412961);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 36, 'move', 3, 'take g', CAST('[["told.basari-cards.takes",{"who":{"seat":3},"gems":{"all":[["word.gems.green",{"n":1}]]}}]]' AS BLOB), 1794776784.4615884);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 37, 'move', 0, 'take r', CAST('[["told.basari-cards.takes",{"who":{"seat":0},"gems":{"all":[["word.gems.red",{"n":1}]]}}]]' AS BLOB), 1794776784.587735);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 38, 'chance', NULL, '3/5/RRY', CAST('[["told.basari-cards.is_dealt",{"who":{"seat":0},"card":["told.basari-cards.card",{"workers":3,"points":5,"gems":{"all":[["word.gems.red",{"n":2}],["word.gems.yellow",{"n":1}]]}}]}]]' AS BLOB), 1794776784.587735);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 39, 'chance', NULL, '4/5/RR', CAST('[["told.basari-cards.is_dealt",{"who":{"seat":1},"card":["told.basari-cards.card",{"workers":4,"points":5,"gems":{"all":[["word.gems.red",{"n":2}]]}}]}]]' AS BLOB), 1794776784.587735);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 40, 'chance', NULL, '4/6/BB', CAST('[["told.basari-cards.is_dealt",{"who":{"seat":2},"card":["told.basari-cards.card",{"workers":4,"points":6,"gems":{"all":[["word.gems.blue",{"n":2}]]}}]}]]' AS BLOB), 1794776784.587735);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 41, 'chance', NULL, '2/4/RRR', CAST('[["told.basari-cards.is_dealt",{"who":{"seat":3},"card":["told.basari-cards.card",{"workers":2,"points":4,"gems":{"all":[["word.gems.red",{"n":3}]]}}]}]]' AS BLOB), 1794776784.587735);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 42, 'chance', NULL, '1/7/RBB', CAST('[["told.basari-cards.is_dealt",{"who":{"seat":4},"card":["told.basari-cards.card",{"workers":1,"points":7,"gems":{"all":[["word.gems.red",{"n":1}],["word.gems.blue",{"n":2}]]}}]}]]' AS BLOB), 1794776784.587735);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 43, 'move', 0, 'C', CAST('[["told.core.has_chosen",{"who":{"seat":0}}]]' AS BLOB), 1794776784.6094017);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 44, 'move', 1, 'C', CAST('[["told.core.has_chosen",{"who":{"seat":1}}]]' AS BLOB), 1794776784.6291897);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 45, 'move', 2, 'C', CAST('[["told.core.has_chosen",{"who":{"seat":2}}]]' AS BLOB), 1794776784.6423683);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 46, 'back', 2, 'C', CAST('[["table.takes_back",{"who":{"seat":2}}]]' AS BLOB), 1794776784.6517315);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 47, 'move', 2, 'C', CAST('[["told.core.has_chosen",{"who":{"seat":2}}]]' AS BLOB), 1794776784.6624916);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 48, 'move', 3, 'B', CAST('[["told.core.has_chosen",{"who":{"seat":3}}]]' AS BLOB), 1794776784.6685216);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 49, 'move', 4, 'D', CAST('[["told.basari-cards.all_reveal",{"choices":{"all":[["told.haggle.choice",{"who":{"seat":0},"action":"C"}],["told.haggle.choice",{"who":{"seat":1},"action":"C"}],["told.haggle.choice",{"who":{"seat":2},"action":"C"}],["told.haggle.choice",{"who":{"seat":3},"action":"B"}],["told.haggle.choice",{"who":{"seat":4},"action":"D"}]]}}],["told.basari-cards.scores",{"who":{"seat":3},"n":4}]]' AS BLOB), 1794776784.6881151);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 50, 'move', 4, 'give y', CAST('[["told.basari-cards.returns",{"who":{"seat":4},"gems":{"all":[["word.gems.yellow",{"n":1}]]}}]]' AS BLOB), 1794776784.7493753);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 51, 'move', 4, 'take ry', CAST('[["told.basari-cards.takes",{"who":{"seat":4},"gems":{"all":[["word.gems.red",{"n":1}],["word.gems.yellow",{"n":1}]]}}]]' AS BLOB), 1794776784.9400284);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 52, 'chance', NULL, '2/5/YGGG', CAST('[["told.basari-cards.is_dealt",{"who":{"seat":0},"card":["told.basari-cards.card",{"workers":2,"points":5,"gems":{"all":[["word.gems.yellow",{"n":1}],["word.gems.green",{"n":3}]]}}]}]]' AS BLOB), 1794776784.9400284);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 53, 'chance', NULL, '1/6/YYBB', CAST('[["told.basari-cards.is_dealt",{"who":{"seat":1},"card":["told.basari-cards.card",{"workers":1,"points":6,"gems":{"all":[["word.gems.yellow",{"n":2}],["word.gems.blue",{"n":2}]]}}]}]]' AS BLOB), 1794776784.9400284);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 54, 'chance', NULL, '4/4/GGG', CAST('[["told.basari-cards.is_dealt",{"who":{"seat":2},"card":["told.basari-cards.card",{"workers":4,"points":4,"gems":{"all":[["word.gems.green",{"n":3}]]}}]}]]' AS BLOB), 1794776784.9400284);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 55, 'chance', NULL, '3/7/BB', CAST('[["told.basari-cards.is_dealt",{"who":{"seat":3},"card":["told.basari-cards.card",{"workers":3,"points":7,"gems":{"all":[["word.gems.blue",{"n":2}]]}}]}]]' AS BLOB), 1794776784.9400284);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 56, 'chance', NULL, '2/7/RG', CAST('[["told.basari-cards.is_dealt",{"who":{"seat":4},"card":["told.basari-cards.card",{"workers":2,"points":7,"gems":{"all":[["word.gems.red",{"n":1}],["word.gems.green",{"n":1}]]}}]}]]' AS BLOB), 1794776784.9400284);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 57, 'move', 0, 'B', CAST('[["told.core.has_chosen",{"who":{"seat":0}}]]' AS BLOB), 1794776785.0696592);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 58, 'move', 1, 'D', CAST('[["told.core.has_chosen",{"who":{"seat":1}}]]' AS BLOB), 1794776785.080933);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 59, 'move', 2, 'B', CAST('[["told.core.has_chosen",{"who":{"seat":2}}]]' AS BLOB), 1794776785.2927725);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 60, 'back', 2, 'B', CAST('[["table.takes_back",{"who":{"seat":2}}]]' AS BLOB), 1794776785.3037577);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 61, 'move', 2, 'B', CAST('[["told.core.has_chosen",{"who":{"seat":2}}]]' AS BLOB), 1794776785.3076265);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 62, 'move', 3, 'A', CAST('[["told.core.has_chosen",{"who":{"seat":3}}]]' AS BLOB), 1794776785.3108375);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 63, 'move', 4, 'D', CAST('[["told.basari-cards.all_reveal",{"choices":{"all":[["told.haggle.choice",{"who":{"seat":0},"action":"B"}],["told.haggle.choice",{"who":{"seat":1},"action":"D"}],["told.haggle.choice",{"who":{"seat":2},"action":"B"}],["told.haggle.choice",{"who":{"seat":3},"action":"A"}],["told.haggle.choice",{"who":{"seat":4},"action":"D"}]]}}]]' AS BLOB), 1794776785.3586435);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 64, 'chance', NULL, '3/4/RRBB', CAST('[["told.basari-cards.draws",{"who":{"seat":3},"card":["told.basari-cards.card",{"workers":3,"points":4,"gems":{"all":[["word.gems.red",{"n":2}],["word.gems.blue",{"n":2}]]}}]}]]' AS BLOB), 1794776785.3586435);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 65, 'move', 0, 'offer 1y', CAST('[["told.haggle.offers",{"who":{"seat":0},"gems":{"all":[["word.gems.yellow",{"n":1}]]}}]]' AS BLOB), 1794776785.3976994);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 66, 'move', 2, 'accept', CAST('[["told.basari-cards.accepts",{"who":{"seat":2},"action":"B","other":{"seat":0}}],["told.basari-cards.scores",{"who":{"seat":0},"n":5}]]' AS BLOB), 1794776785.4216373);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 67, 'move', 4, 'take r', CAST('[["told.basari-cards.takes",{"who":{"seat":4},"gems":{"all":[["word.gems.red",{"n":1}]]}}]]' AS BLOB), 1794776785.4566708);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 68, 'move', 1, 'take g', CAST('[["told.basari-cards.takes",{"who":{"seat":1},"gems":{"all":[["word.gems.green",{"n":1}]]}}],["told.basari-cards.deal_scored",{"n":1,"gained":{"all":[["told.basari-cards.gained",{"who":{"seat":1},"n":8}],["told.basari-cards.gained",{"who":{"seat":3},"n":22}],["told.basari-cards.gained",{"who":{"seat":4},"n":26}]]}}]]' AS BLOB), 1794776785.4896846);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 69, 'chance', NULL, '3/4/RRBB', CAST('[["told.basari-cards.is_dealt",{"who":{"seat":0},"card":["told.basari-cards.card",{"workers":3,"points":4,"gems":{"all":[["word.gems.red",{"n":2}],["word.gems.blue",{"n":2}]]}}]}]]' AS BLOB), 1794776785.4896846);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 70, 'chance', NULL, '3/5/RRY', CAST('[["told.basari-cards.is_dealt",{"who":{"seat":1},"card":["told.basari-cards.card",{"workers":3,"points":5,"gems":{"all":[["word.gems.red",{"n":2}],["word.gems.yellow",{"n":1}]]}}]}]]' AS BLOB), 1794776785.4896846);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 71, 'chance', NULL, '1/6/RYGB', CAST('[["told.basari-cards.is_dealt",{"who":{"seat":2},"card":["told.basari-cards.card",{"workers":1,"points":6,"gems":{"all":[["word.gems.red",{"n":1}],["word.gems.yellow",{"n":1}],["word.gems.green",{"n":1}],["word.gems.blue",{"n":1}]]}}]}]]' AS BLOB), 1794776785.4896846);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 72, 'chance', NULL, '1/5/YYGB', CAST('[["told.basari-cards.is_dealt",{"who":{"seat":3},"card":["told.basari-cards.card",{"workers":1,"points":5,"gems":{"all":[["word.gems.yellow",{"n":2}],["word.gems.green",{"n":1}],["word.gems.blue",{"n":1}]]}}]}]]' AS BLOB), 1794776785.4896846);
INSERT INTO events VALUES ('TU4kdxUYaWF0LOje', 73, 'chance', NULL, '2/5/RYBB', CAST('[["told.basari-cards.is_dealt",{"who":{"seat":4},"card":["told.basari-cards.card",{"workers":2,"points":5,"gems":{"all":[["word.gems.red",{"n":1}],["word.gems.yellow",{"n":1}],["word.gems.blue",{"n":2}]]}}]}]]' AS BLOB), 1794776785.4896846);
INSERT INTO events VALUES ('kj72U6qHBDd9w8qk', 0, 'move', 0, 'arch 3', CAST('[["told.basari.starts",{"who":{"seat":0},"arch":3}]]' AS BLOB), 1794776783.168883);
INSERT INTO events VALUES ('kj72U6qHBDd9w8qk', 1, 'move', 1, 'arch 12', CAST('[["told.basari.starts",{"who":{"seat":1},"arch":12}]]' AS BLOB), 1794776783.1839995);
INSERT INTO events VALUES ('kj72U6qHBDd9w8qk', 2, 'move', 2, 'arch 20', CAST('[["told.basari.starts",{"who":{"seat":2},"arch":20}]]' AS BLOB), 1794776783.1906633);
INSERT INTO events VALUES ('kj72U6qHBDd9w8qk', 3, 'chance', NULL, '5', CAST('[["told.basari.rolls",{"who":{"seat":0},"n":5,"arch":8}]]' AS BLOB), 1794776783.1906633);
INSERT INTO events VALUES ('kj72U6qHBDd9w8qk', 4, 'chance', NULL, '1', CAST('[["told.basari.rolls",{"who":{"seat":1},"n":1,"arch":13}]]' AS BLOB), 1794776783.1906633);
INSERT INTO events VALUES ('kj72U6qHBDd9w8qk', 5, 'chance', NULL, '6', CAST('[["told.basari.rolls",{"who":{"seat":2},"n":6,"arch":26}]]' AS BLOB), 1794776783.1906633);
INSERT INTO events VALUES ('kj72U6qHBDd9w8qk', 6, 'move', 0, 'gems', CAST('[["told.core.has_chosen",{"who":{"seat":0}}]]' AS BLOB), 1794776783.2055717);
INSERT INTO events VALUES ('kj72U6qHBDd9w8qk', 7, 'move', 1, 'gems', CAST('[["told.core.has_chosen",{"who":{"seat":1}}]]' AS BLOB), 1794776783.2185173);
INSERT INTO events VALUES ('kj72U6qHBDd9w8qk', 8, 'move', 2, 'points', CAST('[["told.basari.all_have_chosen",{"choices":{"all":[["told.haggle.choice",{"who":{"seat":0},"action":["word.action.gems",{}]}],["told.haggle.choice",{"who":{"seat":1},"action":["word.action.gems",{}]}],["told.haggle.choice",{"who":{"seat":2},"action":["word.action.points",{}]}]]}}],["told.basari.changes",{"who":{"seat":2},"changes":{"all":[["word.gained.points",{"n":4}]]}}]]' AS BLOB), 1794776783.2215385);
INSERT INTO events VALUES ('kj72U6qHBDd9w8qk', 9, 'chance', NULL, 'opens 0', CAST('[["told.basari.opens",{"who":{"seat":0}}]]' AS BLOB), 1794776783.2215385);
INSERT INTO events VALUES ('kj72U6qHBDd9w8qk', 10, 'move', 0, 'pass', CAST('[["told.basari.passes",{"who":{"seat":0},"action":["word.action.gems",{}],"other":{"seat":1}}],["told.basari.changes",{"who":{"seat":1},"changes":{"all":[["word.gained.red",{"n":1}],["word.gained.blue",{"n":2}]]}}]]' AS BLOB), 1794776783.22733);
INSERT INTO events VALUES ('kj72U6qHBDd9w8qk', 11, 'chance', NULL, '6', CAST('[["told.basari.rolls",{"who":{"seat":0},"n":6,"arch":14}]]' AS BLOB), 1794776783.22733);
INSERT INTO events VALUES ('kj72U6qHBDd9w8qk', 12, 'chance', NULL, '6', CAST('[["told.basari.rolls",{"who":{"seat":1},"n":6,"arch":19}]]' AS BLOB), 1794776783.22733);
INSERT INTO events VALUES ('kj72U6qHBDd9w8qk', 13, 'chance', NULL, '6', CAST('[["told.basari.rolls",{"who":{"seat":2},"n":6,"arch":4}]]' AS BLOB), 1794776783.22733);
INSERT INTO events VALUES ('kj72U6qHBDd9w8qk', 14, 'move', 0, 'dice', CAST('[["told.core.has_chosen",{"who":{"seat":0}}]]' AS BLOB), 1794776783.2462623);
INSERT INTO events VALUES ('kj72U6qHBDd9w8qk', 15, 'move', 1, 'points', CAST('[["told.core.has_chosen",{"who":{"seat":1}}]]' AS BLOB), 1794776783.2539203);
INSERT INTO events VALUES ('kj72U6qHBDd9w8qk', 16, 'move', 2, 'gems', CAST('[["told.basari.all_have_chosen",{"choices":{"all":[["told.haggle.choice",{"who":{"seat":0},"action":["word.action.dice",{}]}],["told.haggle.choice",{"who":{"seat":1},"action":["word.action.points",{}]}],["told.haggle.choice",{"who":{"seat":2},"action":["word.action.gems",{}]}]]}}]]' AS BLOB), 1794776783.2569478);
INSERT INTO events VALUES ('kj72U6qHBDd9w8qk', 17, 'chance', NULL, '2', CAST('[["told.basari.rolls",{"who":{"seat":0},"n":2,"arch":16}],["told.basari.changes",{"who":{"seat":0},"changes":{"all":[["word.gained.points",{"n":4}]]}}],["told.basari.changes",{"who":{"seat":1},"changes":{"all":[["word.gained.points",{"n":5}]]}}],["told.basari.changes",{"who":{"seat":2},"changes":{"all":[["word.gained.red",{"n":2}],["word.gained.green",{"n":1}]]}}]]' AS BLOB), 1794776783.2569478);
INSERT INTO events VALUES ('kj72U6qHBDd9w8qk', 18, 'chance', NULL, '6', CAST('[["told.basari.rolls",{"who":{"seat":0},"n":6,"arch":22}]]' AS BLOB), 1794776783.2569478);
INSERT INTO events VALUES ('kj72U6qHBDd9w8qk', 19, 'chance', NULL, '2', CAST('[["told.basari.rolls",{"who":{"seat":1},"n":2,"arch":21}]]' AS BLOB), 1794776783.2569478);
INSERT INTO events VALUES ('kj72U6qHBDd9w8qk', 20, 'chance', NULL, '6', CAST('[["told.basari.rolls",{"who":{"seat":2},"n":6,"arch":10}]]' AS BLOB), 1794776783.2569478);
INSERT INTO events VALUES ('kj72U6qHBDd9w8qk', 21, 'move', 0, 'points', CAST('[["told.core.has_chosen",{"who":{"seat":0}}]]' AS BLOB), 1794776783.2617211);
INSERT INTO events VALUES ('kj72U6qHBDd9w8qk', 22, 'move', 1, 'points', CAST('[["told.core.has_chosen",{"who":{"seat":1}}]]' AS BLOB), 1794776783.2637298);
INSERT INTO events VALUES ('kj72U6qHBDd9w8qk', 23, 'move', 2, 'points', CAST('[["told.basari.all_have_chosen",{"choices":{"all":[["told.haggle.choice",{"who":{"seat":0},"action":["word.action.points",{}]}],["told.haggle.choice",{"who":{"seat":1},"action":["word.action.points",{}]}],["told.haggle.choice",{"who":{"seat":2},"action":["word.action.points",{}]}]]}}]]' AS BLOB), 1794776783.2666628);
INSERT INTO events VALUES ('kj72U6qHBDd9w8qk', 24, 'chance', NULL, '5', CAST('[["told.basari.rolls",{"who":{"seat":0},"n":5,"arch":27}]]' AS BLOB), 1794776783.2666628);
INSERT INTO events VALUES ('kj72U6qHBDd9w8qk', 25, 'chance', NULL, '6', CAST('[["told.basari.rolls",{"who":{"seat":1},"n":6,"arch":27}]]' AS BLOB), 1794776783.2666628);
INSERT INTO events VALUES ('kj72U6qHBDd9w8qk', 26, 'chance', NULL, '4', CAST('[["told.basari.rolls",{"who":{"seat":2},"n":4,"arch":14}]]' AS BLOB), 1794776783.2666628);
INSERT INTO events VALUES ('kj72U6qHBDd9w8qk', 27, 'move', 2, 'dice', CAST('[["told.core.has_chosen",{"who":{"seat":2}}]]' AS BLOB), 1794776783.2704246);
INSERT INTO events VALUES ('kj72U6qHBDd9w8qk', 28, 'move', 0, 'gems', CAST('[["told.core.has_chosen",{"who":{"seat":0}}]]' AS BLOB), 1794776783.272283);
INSERT INTO events VALUES ('kj72U6qHBDd9w8qk', 29, 'back', 0, 'gems', CAST('[["table.takes_back",{"who":{"seat":0}}]]' AS BLOB), 1794776783.2739558);
INSERT INTO events VALUES ('kj72U6qHBDd9w8qk', 30, 'move', 0, 'points', CAST('[["told.core.has_chosen",{"who":{"seat":0}}]]' AS BLOB), 1794776783.2756245);
INSERT INTO events VALUES ('lsALA5QQyLWkPPFF', 0, 'move', 0, 'roll', CAST('[["told.bazaar.rolls",{"who":{"seat":0}}]]' AS BLOB), 1794776789.9604669);
INSERT INTO events VALUES ('lsALA5QQyLWkPPFF', 1, 'chance', NULL, 'red', CAST('[["told.bazaar.rolls_colour",{"who":{"seat":0},"face":["word.face.red",{}],"chip":["word.chip.red",{}]}]]' AS BLOB), 1794776789.9604669);
INSERT INTO events VALUES ('lsALA5QQyLWkPPFF', 2, 'move', 0, 'roll', CAST('[["told.bazaar.rolls",{"who":{"seat":0}}]]' AS BLOB), 1794776790.0008233);
INSERT INTO events VALUES ('lsALA5QQyLWkPPFF', 3, 'chance', NULL, 'blue', CAST('[["told.bazaar.rolls_colour",{"who":{"seat":0},"face":["word.face.blue",{}],"chip":["word.chip.blue",{}]}]]' AS BLOB), 1794776790.0008233);
INSERT INTO events VALUES ('lsALA5QQyLWkPPFF', 4, 'move', 0, 'trade R>WBGY', CAST('[["told.bazaar.trades",{"who":{"seat":0},"given":{"all":[["word.chips.red",{"n":1}]]},"got":{"all":[["word.chips.white",{"n":1}],["word.chips.blue",{"n":1}],["word.chips.green",{"n":1}],["word.chips.yellow",{"n":1}]]}}]]' AS BLOB), 1794776790.019991);
INSERT INTO events VALUES ('lsALA5QQyLWkPPFF', 5, 'move', 0, 'trade Y>WRR', CAST('[["told.bazaar.trades",{"who":{"seat":0},"given":{"all":[["word.chips.yellow",{"n":1}]]},"got":{"all":[["word.chips.white",{"n":1}],["word.chips.red",{"n":2}]]}}]]' AS BLOB), 1794776790.0328248);
INSERT INTO events VALUES ('lsALA5QQyLWkPPFF', 6, 'move', 0, 'trade BBG>W', CAST('[["told.bazaar.trades",{"who":{"seat":0},"given":{"all":[["word.chips.blue",{"n":2}],["word.chips.green",{"n":1}]]},"got":{"all":[["word.chips.white",{"n":1}]]}}]]' AS BLOB), 1794776790.0484917);
INSERT INTO events VALUES ('lsALA5QQyLWkPPFF', 7, 'move', 0, 'buy 1', CAST('[["told.bazaar.buys_alone",{"who":{"seat":0},"chips":{"all":[["word.chips.white",{"n":3}],["word.chips.red",{"n":2}]]},"n":5}]]' AS BLOB), 1794776790.0773008);

PRAGMA user_version = 1;
