"""Passes bytes between a port and another one, and cuts connections now and then: proxy.py FROM TO"""

import asyncio
import random
import sys


async def pass_on(reader, writer, cut):
    try:
        while data := await reader.read(4096):
            # Before what arrived is passed on, in the middle of it, or after.
            if random.random() < 0.03:
                writer.write(data[: random.randrange(len(data) + 1)])
                await writer.drain()
                break
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    cut()


async def accept(reader, writer):
    try:
        there, back = await asyncio.open_connection("127.0.0.1", int(sys.argv[2]))
    except OSError:
        writer.close()
        return

    def cut():
        back.close()
        writer.close()

    await asyncio.gather(pass_on(reader, back, cut), pass_on(there, writer, cut))


async def main():
    server = await asyncio.start_server(accept, "127.0.0.1", int(sys.argv[1]))
    await server.serve_forever()


asyncio.run(main())
