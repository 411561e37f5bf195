from trl import GRPOConfig

args = GRPOConfig(
<<<<<<< yours
    temperature=0.9,
||||||| last compile
    temperature=1.0,
=======
    temperature=0.7,
>>>>>>> this compile
)
